import { useState } from 'react';
import { EmojiText } from '../blocks/emoji-text.tsx';
import { useDesk } from '../ui/desk.ts';
import type { Entity } from './entity-schema.ts';

/** Where a Work Object's buttons are shown. */
export interface EntityPlace {
  channel: string;
  message_ts: string;
  where: 'card' | 'flexpane';
}

/** The buttons of a Work Object, followed by those of its overflow menu. */
export function EntityActions({ entity, place }: { entity: Entity; place: EntityPlace }) {
  const { entities } = useDesk();
  const [busy, setBusy] = useState<string | null>(null);
  const { primary_actions: primary, overflow_actions: more } = entity.entity_payload.actions;
  const actions = [...primary, ...more];
  if (actions.length === 0) return null;
  const press = async (action_id: string) => {
    setBusy(action_id);
    await entities.act({ ...place, ref: entity.external_ref.id, action_id });
    setBusy(null);
  };
  return (
    <div className="actions">
      {actions.map(({ action_id, text, style }) => (
        <button
          key={action_id}
          type="button"
          className={`button ${style === 'primary' || style === 'danger' ? style : ''}`}
          disabled={busy !== null}
          aria-busy={busy === action_id}
          onClick={() => void press(action_id)}
        >
          <EmojiText text={text} />
        </button>
      ))}
    </div>
  );
}
