import { useContext } from "preact/hooks";
import { PhoneActionsContext } from "../phone/phone-actions";
import type { Card } from "./line-message";
import { LinkedText } from "./TextBubble";

/** Flex and template messages, reduced to their words and buttons. */
export function CardBubble({ cards }: { cards: Card[] }) {
  return (
    <div class="cards">
      {cards.map((card, index) => (
        <OneCard key={index} card={card} />
      ))}
    </div>
  );
}

function OneCard({ card }: { card: Card }) {
  const { act } = useContext(PhoneActionsContext);
  return (
    <div class="card">
      {card.title && <strong>{card.title}</strong>}
      <p>
        <LinkedText text={card.text} />
      </p>
      {card.actions.map((action, index) => (
        <button key={index} type="button" class="card-button" onClick={() => act(action)}>
          {action.label}
        </button>
      ))}
    </div>
  );
}
