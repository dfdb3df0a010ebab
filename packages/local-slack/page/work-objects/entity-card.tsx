import type { PageMessage } from '../../src/page-api.ts';
import { EmojiText } from '../blocks/emoji-text.tsx';
import { plainText } from '../model/plain.ts';
import { useDesk } from '../ui/desk.ts';
import { EntityActions } from './entity-actions.tsx';
import { entitySchema } from './entity-schema.ts';
import { Facts } from './facts.tsx';

/** A Work Object below its message; the title opens the flexpane. */
export function EntityCard({ entity: given, message }: { entity: unknown; message: PageMessage }) {
  const { entities } = useDesk();
  const { data: entity } = entitySchema.safeParse(given);
  if (!entity) return <p className="unknown-block">This page cannot draw this Work Object.</p>;
  const { title, display_id, display_type, product_name } = entity.entity_payload.attributes;
  const place = { channel: message.channel, message_ts: message.ts };
  const words = plainText(title.text);
  return (
    <section className="entity-card" aria-label={`Work Object: ${words}`}>
      <p className="entity-kind">{[product_name, display_type, display_id].filter(Boolean).join(' · ')}</p>
      <button
        type="button"
        className="plain link entity-title"
        onClick={() => entities.open({ ...place, ref: entity.external_ref.id })}
      >
        <EmojiText text={words} />
      </button>
      <Facts entity={entity} isWhole={false} />
      <EntityActions entity={entity} place={{ ...place, where: 'card' }} />
    </section>
  );
}
