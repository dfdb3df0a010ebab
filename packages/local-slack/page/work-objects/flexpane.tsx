import type { PageFlexpane } from '../../src/page-api.ts';
import { EmojiText } from '../blocks/emoji-text.tsx';
import { plainText } from '../model/plain.ts';
import { useDesk } from '../ui/desk.ts';
import { SafeLink } from '../ui/safe-link.tsx';
import { EntityActions } from './entity-actions.tsx';
import { entitySchema } from './entity-schema.ts';
import { Facts } from './facts.tsx';

/** The details of a Work Object beside the channel, as the app presents them to this person. */
export function Flexpane({ pane, onClose }: { pane: PageFlexpane; onClose: () => void }) {
  const { entities } = useDesk();
  const { channel, message_ts, ref } = pane;
  return (
    <aside className="pane thread flexpane" aria-label="Details">
      <header className="pane-head">
        <h2>Details</h2>
        <div className="pane-tools">
          <button
            type="button"
            className="plain link"
            onClick={() => entities.open({ channel, message_ts, ref })}
          >
            Refresh
          </button>
          <button type="button" className="plain close" aria-label="Close details" onClick={onClose}>
            ×
          </button>
        </div>
      </header>
      <div className="flexpane-body" aria-live="polite" aria-busy={pane.state === 'loading'}>
        <Content pane={pane} />
      </div>
    </aside>
  );
}

function Content({ pane }: { pane: PageFlexpane }) {
  const { bot } = useDesk().workspace;
  const { channel, message_ts, state } = pane;
  if (state === 'loading') return <p className="empty">{`Asking ${bot.name}…`}</p>;
  if (state === 'sign_in') {
    return (
      <p className="empty">
        <SafeLink href={pane.url}>{`Sign in to ${bot.name} to see this.`}</SafeLink>
      </p>
    );
  }
  if (state === 'error') {
    return (
      <div className="flexpane-error">
        <h3>{pane.title ?? 'This cannot be shown'}</h3>
        <p>{pane.message ?? `${bot.name} answered: ${pane.status ?? 'error'}.`}</p>
      </div>
    );
  }
  const { data: entity } = entitySchema.safeParse(pane.entity);
  if (!entity) return <p className="empty">This page cannot draw this Work Object.</p>;
  const { title, display_id, display_type } = entity.entity_payload.attributes;
  return (
    <>
      <p className="entity-kind">{[display_type, display_id].filter(Boolean).join(' · ')}</p>
      <h3>
        <EmojiText text={plainText(title.text)} />
      </h3>
      <EntityActions entity={entity} place={{ channel, message_ts, where: 'flexpane' }} />
      <Facts entity={entity} isWhole />
      {entity.url !== undefined && <SafeLink href={entity.url}>{`Open in ${bot.name}`}</SafeLink>}
    </>
  );
}
