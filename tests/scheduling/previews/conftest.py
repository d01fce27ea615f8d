from tests.scheduling.delivery.conftest import asked, box, desk, impatient, make_product, plain_log, product, shared_box

__all__ = ["asked", "box", "desk", "impatient", "make_product", "plain_log", "product", "shared_box"]
