"""Whatever stands in a configuration of torch and its kin: a document, or one clear error."""

from __future__ import annotations

from typing import Any

import pytest
from tests.importers.goldens import Golden, goldens, importer_name
from tests.importers.trainers import assert_survives

from lrspec.importing.registry import find

SYSTEMS = ("torch", "ignite", "fvcore", "detectron2", "mmengine", "paddle")
GOLDENS = {golden.id: golden for golden in goldens() if golden.system in SYSTEMS}


@pytest.mark.parametrize("golden", GOLDENS.values(), ids=GOLDENS)
def test_configurations_with_something_else_in_them(golden: Golden) -> None:
    config: Any = golden.config
    if isinstance(config, list):
        config = {"param_scheduler": config}
    load = find(importer_name(golden.system))

    assert_survives(load, config, schedule=golden.schedule, steps=40)
    assert_survives(load, config, schedule=golden.schedule, base=0.1)
