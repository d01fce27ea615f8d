from tests.notifications.mails.conftest import box, impatient, make_product, plain_log, post, product, shared_box

__all__ = ["box", "impatient", "make_product", "plain_log", "post", "product", "shared_box"]
