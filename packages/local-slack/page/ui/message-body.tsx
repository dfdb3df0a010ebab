import type { PageMessage } from '../../src/page-api.ts';
import { Attachment } from '../blocks/attachment.tsx';
import { Blocks } from '../blocks/blocks.tsx';
import { Mrkdwn } from '../blocks/button.tsx';
import { InteractionContext } from '../blocks/use.ts';
import { FormContext } from '../modal/form.ts';
import { withoutBegunTable } from '../model/rows.ts';
import { plainText } from '../model/texts.ts';
import { Boundary, each } from './basics.tsx';
import { useMessageForm } from './composer.tsx';
import { useDesk } from './desk.ts';
import { MessageFiles } from './message-parts.tsx';

/** A message's blocks, else its text, then its attachments and files. What cannot be drawn is shown as plain text. */
export function MessageBody({ message }: { message: PageMessage }) {
  const { click } = useDesk();
  const form = useMessageForm(message);
  const { attachments = [], files = [], text, edited } = message;
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
            <MessageFiles files={files} />
          </FormContext>
        </InteractionContext>
      </Boundary>
    </div>
  );
}
