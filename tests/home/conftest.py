from tests.product_fixtures import box, impatient, make_product, plain_log, product, shared_box

__all__ = ["box", "impatient", "make_product", "plain_log", "product", "shared_box"]
