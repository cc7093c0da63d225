"""The report on a program: text, a page for notebooks, and fields."""

import dataclasses
import html
import json


@dataclasses.dataclass(frozen=True)
class Kernel:
    """One compiled loop nest."""

    name: str
    kind: str
    plan: str
    places: tuple  # lines of the user's program, as "train.py:12"
    instructions: tuple  # what it computes, by the names in the report
    bytes_read: int
    bytes_written: int
    flops: int
    predicted_us: float
    measured_us: float | None  # of `lawson.profile`


class Report:
    """Prints as text, shows as a page in notebooks; `kernels` and `data` are for programs."""

    def __init__(self, text: str, data: dict, page: str):
        self.text = text
        self.data = data  # everything, as `lawson explain --json` prints it
        self.page = page  # a document in HTML that needs no network

    @classmethod
    def of(cls, compiled) -> "Report":
        found = compiled.cost_analysis()
        found = found[0] if isinstance(found, list) else found
        try:
            return cls(found["lawson report"], json.loads(found["lawson report json"]), found["lawson report html"])
        except KeyError:
            raise RuntimeError("this program was not compiled by Lawson") from None

    @property
    def kernels(self) -> list:
        return [_kernel(k) for k in self.data["kernels"]]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        # A document of its own, so that its style stays its own.
        return f'<iframe srcdoc="{html.escape(self.page)}" style="width: 100%; height: 40em; border: 0"></iframe>'


def _kernel(data: dict) -> Kernel:
    fields = {f.name: data[f.name] for f in dataclasses.fields(Kernel)}
    return Kernel(**{name: tuple(v) if isinstance(v, list) else v for name, v in fields.items()})
