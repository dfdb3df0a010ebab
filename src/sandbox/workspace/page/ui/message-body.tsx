import type { PageMessage } from '../../page-api.ts';
import { Attachment } from '../blocks/attachment.tsx';
import { Blocks } from '../blocks/blocks.tsx';
import { InteractionContext } from '../blocks/interaction.ts';
import { Mrkdwn } from '../blocks/mrkdwn.tsx';
import { plainText } from '../model/plain.ts';
import { Boundary } from './boundary.tsx';
import { useDesk } from './desk.ts';
import { each } from './each.ts';

/** What a message says: its blocks, else its text, then its attachments. What cannot be drawn stands as its plain text. */
export function MessageBody({ message }: { message: PageMessage }) {
  const { click } = useDesk();
  const { blocks = [], attachments = [], text, edited } = message;
  const fallback = <p className="plain-text">{plainText(text) || 'This message cannot be shown.'}</p>;
  return (
    <div className="body">
      <Boundary subject={message} fallback={fallback}>
        <InteractionContext value={(used) => click(message, used)}>
          {blocks.length > 0 ? <Blocks blocks={blocks} /> : <Mrkdwn text={text} />}
          {edited !== undefined && <small className="edited">(edited)</small>}
          {each(attachments, (attachment) => (
            <Attachment attachment={attachment} />
          ))}
        </InteractionContext>
      </Boundary>
    </div>
  );
}
