from tests.product_fixtures import box, impatient, make_product, plain_log, shared_box
from tests.shops.door_fixtures import door, phone, product

__all__ = ["box", "door", "impatient", "make_product", "phone", "plain_log", "product", "shared_box"]
