export interface OtherPage {
  label: string;
  words: string;
  href: string;
}

export function otherPages(productUrl: string): OtherPage[] {
  const product = productUrl.replace(/\/+$/, "");
  return [
    { label: "管理画面", words: "事務局が使います", href: `${product}/admin/` },
    { label: "職員の予約", words: "病院の職員が使います", href: `${product}/staff/` },
    { label: "お支払いの一覧", words: "Stripe の代わりです", href: "/stripe" },
    { label: "届いたメール", words: "どの宛先のメールも、ここに届きます", href: "/mails" },
    { label: "STORES 予約", words: "店舗の顧客と予約の代わりです", href: "/stores" },
    { label: "ChatWork", words: "障害のお知らせが、ここに届きます", href: "/chatwork" },
    { label: "SMS", words: "どの電話への SMS も、ここに届きます", href: "/sms" },
    { label: "外部サービスの不具合", words: "わざと止めたり、遅くしたりします", href: "/troubles" },
    { label: "名簿シート", words: "Google スプレッドシートの代わりです", href: "/_sandbox/sheets" },
  ];
}
