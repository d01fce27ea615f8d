"""How the audit screen names what happens in this context."""

from tsudoi.access.registration import AuditSubject

ACTIONS = {
    "店舗": {
        "SHOP_CREATE": "店舗を登録",
        "SHOP_CHANGE": "店舗の情報を変更",
        "SHOP_SECRET_SET": "店舗の接続トークンを登録",
        "SHOP_SECRET_DELETE": "店舗の接続トークンを削除",
        "SHOP_SECRET_TEST": "店舗の接続トークンを確認",
        "SHOP_SECRETS_ROTATE": "店舗の接続トークンを新しい鍵で暗号化",
        "CUSTOMER_LINK": "お客さまとLINEを連携",
        "CUSTOMER_LINK_CHANGE": "お客さまのLINEの連携先を変更",
        "CUSTOMER_LINK_TRANSFER": "お客さまの連携を別のLINEに引き継ぎ",
        "CUSTOMER_UNLINK": "お客さまとLINEの連携を解除",
    },
    "外部との接続": {
        "SYS_PARAM_SET": "接続の設定を変更",
        "SYS_PARAM_DELETE": "接続の設定を削除",
        "CONNECTIVITY_CHECK": "外部との接続を確認",
    },
}

SUBJECTS = {
    "shop": AuditSubject("店舗", "/shops/{id}"),
    "shops": AuditSubject("店舗", "/shops"),
    "sys_param": AuditSubject("接続の設定"),
    "customer_link": AuditSubject("お客さまの連携", "/customers"),
    "connectivity": AuditSubject("外部との接続", "/connections"),
}

FIELDS = {
    "code": "コード",
    "shop_status": "営業の状態",
    "shop_email": "店舗のメールアドレス",
    "phone": "電話番号",
    "stores_public_url": "STORESの予約ページ",
    "merchant_public_id": "STORESの公開ID",
    "merchant_canonical_id": "STORESのマーチャントID",
    "secret_name": "トークンの名前",
    "secret_set": "登録の有無",
    "scope": "範囲",
    "shop_id": "店舗",
    "value": "値",
    "external_user_id": "LINEのユーザー",
    "stores_customer_id": "STORESの顧客番号",
    "targets": "確認した相手",
    "result": "結果",
    "sealed": "暗号化し直した数",
}
