"""The table and the plots of what run.py measured."""

import math
import os
import pathlib
import platform

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RESULTS = ROOT / "bench" / "results"
OTHERS = ("xla", "xla-warm", "torch", "torch-compile", "iree", "numpy")
BEHIND = 1.05


def seconds(line, peer):
    answer = line["peers"].get(peer, {})
    return None if "error" in answer else answer.get("seconds")


def best(line):
    found = [(seconds(line, p), p) for p in OTHERS if seconds(line, p)]
    return min(found) if found else (None, None)


def mean(values):
    values = [v for v in values if v]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def by_class(lines, ratio):
    """The geometric mean of each class, and that of the classes."""
    groups = {}
    for line in lines:
        groups.setdefault(line["group"], []).append(ratio(line))
    means = {g: mean(v) for g, v in groups.items()}
    return means, mean(means.values())


def over(top, bottom):
    return top / bottom if top and bottom else None


def figure(value, digits=2):
    return "" if value is None else f"{value:.{digits}f}"


def summary(lines, threads):
    of_xla, all_xla = by_class(lines, lambda x: over(seconds(x, "xla"), seconds(x, "lawson")))
    of_best, all_best = by_class(lines, lambda x: over(best(x)[0], seconds(x, "lawson")))
    of_limit, all_limit = by_class(lines, lambda x: over(seconds(x, "lawson"), x["limit"]))
    compile_, all_compile = by_class(lines, lambda x: over(compiled(x, "xla"), compiled(x, "lawson")))
    rows = [f"| {g} | {sum(x['group'] == g for x in lines)} | {figure(of_xla[g])} | {figure(of_best[g])} | {figure(of_limit[g])} "
            f"| {figure(compile_[g])} |" for g in of_xla]
    rows.append(f"| **all classes alike** | {len(lines)} | **{figure(all_xla)}** | **{figure(all_best)}** | {figure(all_limit)} | {figure(all_compile)} |")
    return [f"## {threads} thread{'s' * (threads > 1)}", "",
            "| class | cases | XLA / Lawson | best peer / Lawson | Lawson / limit | compile time, XLA / Lawson |", "|---|---:|---:|---:|---:|---:|",
            *rows, ""]


def compiled(line, peer):
    return line["peers"].get(peer, {}).get("compile_s")


def behind(lines):
    found = []
    for line in lines:
        (time, peer), own = best(line), seconds(line, "lawson")
        if own is None:
            answer = line["peers"].get("lawson", {})
            found.append((math.inf, f"| {line['case']} | | {answer.get('error', 'not run')} |"))
        elif time and own > BEHIND * time:
            found.append((own / time, f"| {line['case']} | {own / time:.2f} | {peer} |"))
    if not found:
        return ["No case is slower than the best of its peers by more than 5 %.", ""]
    rows = [row for _, row in sorted(found, reverse=True)]
    return [f"Slower than the best of the peers by more than 5 %: {len(rows)} of {len(lines)}.", "",
            "| case | Lawson / best | which |", "|---|---:|---|", *rows, ""]


def every(lines):
    head = "| case | limit ms | Lawson | " + " | ".join(OTHERS) + " | best / Lawson | Lawson / limit |"
    rows = [head, "|---|" + "---:|" * (len(OTHERS) + 4)]
    for line in lines:
        own = seconds(line, "lawson")
        times = [figure(t and t * 1e3, 3) for t in (seconds(line, p) for p in OTHERS)]
        rows.append(f"| {line['case']} | {figure(line['limit'] * 1e3, 3)} | {figure(own and own * 1e3, 3)} | " + " | ".join(times)
                    + f" | {figure(over(best(line)[0], own))} | {figure(over(own, line['limit']))} |")
    return [*rows, ""]


def plot(lines, threads, folder):
    """Speed-up over XLA and over the best peer, worst first."""
    import matplotlib

    matplotlib.use("svg")
    # Text as text: a tenth of the size, and it can be searched.
    matplotlib.rcParams["svg.fonttype"] = "none"
    matplotlib.rcParams["svg.hashsalt"] = "lawson"
    import matplotlib.pyplot as plt

    rows = sorted((over(seconds(x, "xla"), seconds(x, "lawson")) or 0, x["case"]) for x in lines)
    rows = [(r, n) for r, n in rows if r]
    figure_, axes = plt.subplots(figsize=(9, 0.16 * len(rows) + 1.2))
    axes.barh(range(len(rows)), [r for r, _ in rows], color=["#b5483a" if r < 1 else "#3a6ea5" for r, _ in rows], log=True)
    axes.set_yticks(range(len(rows)), [n for _, n in rows], fontsize=6)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xlabel(f"XLA:CPU's time / Lawson's, {threads} thread{'s' * (threads > 1)}")
    axes.margins(y=0.005)
    figure_.tight_layout()
    figure_.savefig(folder / f"suite-{threads}.svg", metadata={"Date": None})
    plt.close(figure_)


def processor():
    with open("/proc/cpuinfo") as file:
        names = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    return f"{len(names)} cores of {names[0]}" if names else platform.processor()


def write(lines, missing, whole):
    """The whole benchmark goes to bench/results; a part of it to target/bench, and both to standard output."""
    folder = RESULTS if whole else ROOT / "target" / "bench"
    text = ["<!-- Made by bench/suite/run.py (`make bench`). -->", "", "# Programs and operations beside the peers", "",
            f"{processor()}, load {os.getloadavg()[0]:.1f} at the end. Times are medians over rounds of the least call of a round, all peers in",
            "turns; ratios above 1 are in Lawson's favour but for those to the limit. `xla-warm` is XLA under a malloc that keeps its pages.", ""]
    if missing:
        text += [f"Not installed, so not measured: {', '.join(missing)}.", ""]
    for threads in sorted({line["threads"] for line in lines}):
        some = [line for line in lines if line["threads"] == threads]
        text += summary(some, threads) + behind(some)
        plot(some, threads, folder)
        text += [f"![speed-up over XLA](suite-{threads}.svg)", ""]
    for threads in sorted({line["threads"] for line in lines}):
        text += [f"## Every case, {threads} thread{'s' * (threads > 1)}", ""] + every([x for x in lines if x["threads"] == threads])
    (folder / "suite.md").write_text("\n".join(text))
    print("\n".join(text))
