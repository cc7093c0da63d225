"""The wheel holds a shared object that no version of Python is compiled into."""

import sysconfig

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel


class AnyPython(bdist_wheel):
    """For every Python 3, on this system."""

    def get_tag(self):
        return "py3", "none", sysconfig.get_platform().replace("-", "_").replace(".", "_")


class Binary(Distribution):
    """Not the same on every system."""

    def has_ext_modules(self):
        return True


setup(distclass=Binary, cmdclass={"bdist_wheel": AnyPython})
