import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useSession } from "../session";
import { CodeForm } from "./code-form";
import { Conflict } from "./conflict";
import { ContactForm } from "./contact-form";
import type { ConfirmedLink, LinkedShop, TypedContact } from "./shapes";

type Step =
  | { kind: "contact"; message: string }
  | { kind: "code" }
  | { kind: "conflict"; code: string };

/** From the typed address to the link: contact, code, and the question about another phone where it arises. */
export function Proving({ found, done }: { found: LinkedShop; done: (link: ConfirmedLink) => void }): JSX.Element {
  const { client } = useSession();
  const store_code = found.shop.code;
  const [typed, setTyped] = useState<TypedContact>({ email: "", phone_number: "", name: "" });
  const [step, setStep] = useState<Step>({ kind: "contact", message: "" });

  const request = async (contact: TypedContact) => {
    setTyped(contact);
    const name = contact.name.trim() === "" ? null : contact.name;
    await client.post("/api/liff/identity", { store_code, ...contact, name });
    setStep({ kind: "code" });
  };
  const confirm = async (code: string, transfer: boolean) => {
    const link = await client.post("/api/liff/identity/confirm", { store_code, code, transfer });
    if (link.result === "linked" || link.result === "transferred") done(link);
    else setStep({ kind: "contact", message: link.message });
  };
  const startAgain = () => setStep({ kind: "contact", message: "" });

  if (step.kind === "code") {
    return (
      <CodeForm
        address={typed.email.normalize("NFKC").trim()}
        confirm={(code) => confirm(code, false)}
        conflict={(code) => setStep({ kind: "conflict", code })}
        again={startAgain}
      />
    );
  }
  if (step.kind === "conflict") return <Conflict transfer={() => confirm(step.code, true)} leave={startAgain} />;
  return <ContactForm found={found} typed={typed} message={step.message} send={request} />;
}
