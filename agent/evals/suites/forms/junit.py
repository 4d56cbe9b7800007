"""JUnit XML, as build servers read it: a test case a case, a failure with its reasons, a skip with the author's."""

import re
from xml.etree import ElementTree

from agent.evals.suites.judging import Judged
from agent.evals.suites.report import Report
from tools.sanitize import sanitize

_NO_XML = re.compile("[\ufffe\uffff]")


def junit(report: Report) -> str:
    """Give the report as JUnit XML."""
    verdict = report.verdict
    counts = {
        "tests": str(len(report.results)),
        "failures": str(verdict.failed),
        "errors": "0",
        "skipped": str(verdict.skipped),
        "time": f"{sum(one.seconds for one in report.results):.3f}",
    }
    root = ElementTree.Element("testsuites", {"name": "overheard eval", **counts})
    suite = ElementTree.SubElement(root, "testsuite", {"name": _plain(report.suite), **counts})
    told = {"agent": report.agent, "seed": str(report.seed), "verdict": verdict.line}
    listed = ElementTree.SubElement(suite, "properties")
    for name, value in told.items():
        ElementTree.SubElement(listed, "property", {"name": name, "value": _plain(value)})
    for one in report.results:
        _case(suite, one, report.suite)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _case(suite: ElementTree.Element, one: Judged, name: str) -> None:
    case = ElementTree.SubElement(
        suite, "testcase", {"classname": _plain(name), "name": _plain(one.case.id), "time": f"{one.seconds:.3f}"}
    )
    why = _plain("; ".join(one.reasons))
    if one.outcome == "skipped":
        ElementTree.SubElement(case, "skipped", {"message": why})
    elif one.outcome == "failed":
        kind = one.fault.kind if one.fault else "expectation"
        failure = ElementTree.SubElement(case, "failure", {"type": kind, "message": why})
        said = f"\nanswer: {one.reply.answer}" if one.reply else ""
        failure.text = _plain(f"{one.case.question}\n{why}{said}")


def _plain(text: str) -> str:
    return _NO_XML.sub("\ufffd", sanitize(text))
