"""Writes examples/data/digits.csv: the handwritten digits that scikit-learn ships, a line for each image.

A line is the 64 brightnesses of 8 rows, whole numbers from 0 to 16, and then the digit.

    pip install scikit-learn && python scripts/prepare_digits.py
"""

from pathlib import Path

from sklearn.datasets import load_digits

PLACE = Path(__file__).parent.parent / "examples/data/digits.csv"

digits = load_digits()
with PLACE.open("w") as file:
    for image, label in zip(digits.data.astype(int), digits.target):
        print(*image, label, sep=",", file=file)
