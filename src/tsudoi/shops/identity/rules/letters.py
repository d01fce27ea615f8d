"""The mails with a link or a code. Pure."""

from dataclasses import dataclass

from tsudoi.shops.identity.rules.proofs import HELP_LINK, LIFETIMES, LIFF_CODE
from tsudoi.shops.storefront.rules import VisitedShop

_NOT_YOU = (
    "このメールにお心当たりがない場合は、何もせずに削除してください。第三者にこのメールを転送しないでください。\n"
    "このメールは送信専用です。ご返信いただいてもお答えできません。"
)


@dataclass(frozen=True, slots=True)
class ProofLetter:
    """Subject and text of a mail that proves an address."""

    subject: str
    text: str


def link_letter(shop: VisitedShop, url: str) -> ProofLetter:
    minutes = int(LIFETIMES[HELP_LINK].total_seconds() // 60)
    text = (
        f"{shop.name}のヘルプページで、本人確認のお申し込みを受け付けました。\n\n"
        f"次のページを開き、「本人確認を完了する」ボタンを押してください。{minutes}分以内に1回だけ使えます。\n\n"
        f"{url}\n\n"
        "ボタンを押すと、ご予約の内容が表示されます。\n\n"
        f"{_NOT_YOU}\n\n{shop.signature}\n"
    )
    return ProofLetter(f"【{shop.name}】本人確認のご案内", text)


def code_letter(shop: VisitedShop, code: str) -> ProofLetter:
    minutes = int(LIFETIMES[LIFF_CODE].total_seconds() // 60)
    text = (
        f"{shop.name}とLINEの連携のための確認コードです。\n\n"
        f"確認コード：{code}\n\n"
        f"LINEの画面に戻り、この6桁の数字を入力してください。{minutes}分間使えます。\n"
        "このコードは、誰にも教えないでください。お店の者がお尋ねすることはありません。\n\n"
        f"{_NOT_YOU}\n\n{shop.signature}\n"
    )
    return ProofLetter(f"【{shop.name}】LINE連携の確認コード", text)
