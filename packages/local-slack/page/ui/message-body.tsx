import type { PageMessage } from '../../src/page-api.ts';
import { Attachment } from '../blocks/attachment.tsx';
import { Blocks } from '../blocks/blocks.tsx';
import { Mrkdwn } from '../blocks/mrkdwn.tsx';
import { InteractionContext } from '../blocks/use.ts';
import { FormContext } from '../modal/form.ts';
import { withoutBegunTable } from '../model/growing.ts';
import { plainText } from '../model/plain.ts';
import { EntityCard } from '../work-objects/entity-card.tsx';
import { Boundary } from './boundary.tsx';
import { useDesk } from './desk.ts';
import { each } from './each.ts';
import { MessageFiles } from './message-files.tsx';
import { useMessageForm } from './use-message-form.ts';

/** A message's blocks, else its text, then its attachments and files. What cannot be drawn is shown as plain text. */
export function MessageBody({ message }: { message: PageMessage }) {
  const { click } = useDesk();
  const form = useMessageForm(message);
  const { attachments = [], entities = [], files = [], text, edited } = message;
  const blocks = message.streaming ? withoutBegunTable(message.blocks ?? []) : (message.blocks ?? []);
  const fallback = <p className="plain-text">{plainText(text) || 'This message cannot be shown.'}</p>;
  return (
    <div className="body">
      <Boundary subject={message} fallback={fallback}>
        <InteractionContext value={(used) => click(message, used)}>
          <FormContext value={form}>
            {blocks.length > 0 ? <Blocks blocks={blocks} /> : <Mrkdwn text={text} />}
            {edited !== undefined && <small className="edited">(edited)</small>}
            {each(attachments, (attachment) => (
              <Attachment attachment={attachment} />
            ))}
            {each(entities, (entity) => (
              <EntityCard entity={entity} message={message} />
            ))}
            <MessageFiles files={files} />
          </FormContext>
        </InteractionContext>
      </Boundary>
    </div>
  );
}
