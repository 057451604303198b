"""Pages of `lrspec plot --html` in Chromium: drawn, read out, zoomed, switched to a log axis.

They ask the network for nothing and leave nothing on the console.
"""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from selenium.webdriver import ActionChains, Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from lrspec.cli.main import main
from lrspec.loading import load

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--window-size=1100,900",
)
STEPS = 1_000_000


@pytest.fixture(scope="module")
def chrome() -> Iterator[Chrome]:
    """Chromium of the system; a missing one is a failure."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    assert browser and driver, "apt-get install chromium chromium-driver"
    options = ChromeOptions()
    options.binary_location = browser
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    with Chrome(options, Service(driver)) as chrome:
        yield chrome


class Shown:
    """A page in the browser."""

    def __init__(self, chrome: Chrome, path: Path) -> None:
        self.chrome = chrome
        browser: Any = chrome  # its `get_log` says nothing of its types
        self.log: Callable[[str], list[dict[str, Any]]] = browser.get_log
        self.log("browser")
        self.log("performance")
        chrome.get(path.as_uri())
        WebDriverWait(chrome, 20).until(lambda _: self.find("body").get_attribute("data-drawn"))

    def find(self, selector: str) -> WebElement:
        return self.chrome.find_element(By.CSS_SELECTOR, selector)

    def texts(self, selector: str) -> list[str]:
        return [each.text for each in self.chrome.find_elements(By.CSS_SELECTOR, selector)]

    @property
    def readout(self) -> list[str]:
        """What is said of the step under the pointer."""
        return self.texts("#readout > span")

    @property
    def range(self) -> tuple[int, int]:
        """The first and the last step that are shown."""
        _, first, _, last = self.find("#range").text.split()
        return int(first), int(last)

    def point(self, share: float, panel: int = 0) -> ActionChains:
        """The pointer over so much of the width of a chart."""
        over = self.chrome.find_elements(By.CSS_SELECTOR, ".u-over")[panel]
        offset = round((share - 0.5) * over.size["width"])
        return ActionChains(self.chrome).move_to_element_with_offset(over, offset, 0)

    def drag(self, start: float, stop: float) -> None:
        """Drag over a part of the first chart."""
        over = self.find(".u-over")
        distance = round((stop - start) * over.size["width"])
        self.point(start).click_and_hold().move_by_offset(distance, 5).release().perform()

    def picture(self) -> Image.Image:
        """What is seen of the first chart."""
        return Image.open(io.BytesIO(self.find(".panel canvas").screenshot_as_png)).convert("RGB")

    def ticks(self) -> bytes:
        """What is seen of the first chart's vertical axis."""
        picture = self.picture()
        return picture.crop((0, 0, 80, picture.height)).tobytes()

    def check_quiet(self) -> None:
        """No message on the console, no request but for the page itself."""
        assert self.log("browser") == []
        sent = [json.loads(entry["message"])["message"] for entry in self.log("performance")]
        asked = {
            entry["params"]["request"]["url"]
            for entry in sent
            if entry["method"] == "Network.requestWillBeSent"
        }
        assert {url.partition(":")[0] for url in asked} <= {"file", "data"}
        assert len({url for url in asked if url.startswith("file:")}) == 1


Page = Callable[..., Shown]


@pytest.fixture
def page(chrome: Chrome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    """The page for documents, with more options; it is checked to have been quiet at the end."""
    monkeypatch.chdir(tmp_path)
    shown: list[Shown] = []

    def page(*documents: dict[str, Any], options: tuple[str, ...] = ()) -> Shown:
        if shown:
            shown[-1].check_quiet()
        files = [f"{chr(97 + number)}.json" for number in range(len(documents))]
        for file, document in zip(files, documents, strict=True):
            Path(file).write_text(json.dumps({"lrspec": 1, **document}))
        assert main(["plot", *files, "--html", "-o", "page.html", *options]) == 0
        shown.append(Shown(chrome, tmp_path / "page.html"))
        return shown[-1]

    yield page
    shown[-1].check_quiet()


def warmup(base: float, share: int, **more: Any) -> dict[str, Any]:
    stages = [
        {"linear": {"initial": 0, "final": 1, "length": f"{share}%"}},
        {"constant": None},
        {"cosine": {"final": 0.01, "length": "30%"}},
    ]
    return {"base": base, "training": {"steps": STEPS}, "schedule": stages, **more}


def test_three_long_runs(page: Page) -> None:
    shown = page(warmup(1e-3, 1), warmup(2e-3, 5), warmup(3e-3, 20))
    size = Path("page.html").stat().st_size
    drawn = shown.find("body").get_attribute("data-drawn")
    print(f"\n3 documents of {STEPS:,} steps: {size:,} bytes, drawn in {drawn} ms")

    assert size < 1_000_000
    assert shown.texts("h1") == ["a.json, b.json, c.json"]
    assert shown.readout == ["a.json", "b.json", "c.json"]
    assert shown.range == (0, STEPS)
    seen = {colour for _, colour in shown.picture().getcolors(10**6) or []}
    assert {(0, 114, 178), (213, 94, 0), (0, 158, 115)} <= seen
    assert len(shown.texts("table")) == 3
    assert shown.texts("table:first-of-type tbody tr") == [
        "0 10000 linear 0 0.001",
        "10000 700000 constant 0.001 0.001",
        "700000 1000000 cosine 0.001 1e-05",
        "1000000 open held 1e-05",
    ]


def test_read_out(page: Page) -> None:
    shown = page(warmup(1e-3, 1))
    curve = load("a.json").bind()
    exact = 0
    for share in (0.001, 0.003, 0.01, 0.3, 0.7, 0.75, 0.8111, 0.9, 0.999):
        shown.point(share).perform()
        heading, value = shown.readout
        step, value = int(heading.split()[1]), value.removeprefix("lr: ")
        assert abs(step / STEPS - share) < 0.01
        if value.startswith("≈ "):
            assert float(value[2:]) == pytest.approx(curve(step), rel=1e-5)
        else:
            assert float(value) == curve(step)
            exact += 1
    assert exact >= 5


def test_every_step_of_a_short_run_is_exact(page: Page) -> None:
    shown = page(warmup(1e-3, 10), options=("--steps", "700", "--override"))
    curve = load("a.json").bind(steps=700, override=True)
    for share in (0.05, 0.5, 0.72, 0.86):
        shown.point(share).perform()
        heading, value = shown.readout
        assert float(value.removeprefix("lr: ")) == curve(int(heading.split()[1]))


def test_zoom(page: Page) -> None:
    shown = page(warmup(1e-3, 1))
    before = shown.picture().tobytes()
    shown.drag(0.70, 0.80)
    first, last = shown.range

    assert 690_000 < first < 710_000 and 790_000 < last < 810_000
    assert shown.picture().tobytes() != before
    curve = load("a.json").bind()
    for _ in range(3):  # far in, where few points are left
        shown.drag(0.45, 0.55)
    first, last = shown.range
    assert 0 < last - first < 300
    shown.point(0.5).perform()
    heading, value = shown.readout
    step = int(heading.split()[1])
    assert first <= step <= last
    assert float(value.removeprefix("lr: ").removeprefix("≈ ")) == pytest.approx(
        curve(step), rel=1e-5
    )
    shown.point(0.5).double_click().perform()
    assert shown.range == (0, STEPS)
    shown.drag(0.1, 0.2)
    shown.find("#reset").click()
    assert shown.range == (0, STEPS)


def test_log_axis(page: Page) -> None:
    shown = page(warmup(1e-3, 1))
    button = shown.find("#log")
    straight = shown.ticks()
    assert button.get_attribute("aria-pressed") == "false"
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    logged = shown.ticks()
    assert logged != straight
    shown.drag(0.2, 0.6)
    zoomed = shown.range
    button.click()
    assert shown.range == zoomed
    shown.find("#reset").click()
    assert shown.ticks() == straight


def test_an_axis_that_starts_as_log_and_one_that_cannot(page: Page) -> None:
    steep = {"geometric": {"initial": 1, "final": 1e-6}}
    shown = page({"training": {"steps": 100}, "schedule": steep})
    assert shown.find("#log").get_attribute("aria-pressed") == "true"

    never = page({"training": {"steps": 100}, "schedule": {"constant": {"value": -1}}})
    assert not never.find("#log").is_displayed()


def test_several_hyperparameters_and_epochs(page: Page) -> None:
    shown = page(
        {
            "training": {"steps": 1000, "steps_per_epoch": 100},
            "schedules": {
                "lr": {"linear": {"final": 0}},
                "momentum": {"cosine": {"initial": 0.95, "final": 0.85}},
            },
        }
    )
    assert len(shown.texts(".panel canvas")) == 2
    shown.point(0.5, panel=1).perform()
    heading, lr, momentum = shown.readout
    step = int(heading.split()[1])
    assert heading == f"step {step} ({step / 100:g} epochs)"
    assert (lr, momentum[:12]) == (f"lr: {1 - step / 1000:g}", "momentum: 0.")
    shown.drag(0.25, 0.75)
    shown.point(0.002, panel=1).perform()
    assert int(shown.readout[0].split()[1]) == pytest.approx(250, abs=5)


def test_extremes_of_what_is_too_much(page: Page) -> None:
    saw = {"repeat": {"period": 3, "schedule": {"linear": {"initial": 1, "final": 0.25}}}}
    shown = page({"training": {"steps": STEPS}, "schedule": saw})
    shown.point(0.5003).perform()

    assert "what lies between them is drawn by its extremes" in shown.find(".note").text
    assert any(text.startswith("lr: ") for text in shown.readout)


def test_names_are_text(page: Page) -> None:
    name = '<img src="https://example.org/x.png" onerror="alert(1)"></script>&amp; @data@'
    shown = page(warmup(1e-3, 1, name=name), warmup(1e-2, 1, name="b"), options=("--names",))

    assert shown.texts("h1") == [f"{name}, b"]
    assert shown.readout == [name, "b"]
    assert shown.texts("caption")[0] == f"{name}: lr"
