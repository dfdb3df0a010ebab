import type { PageMessage } from '../../src/page-api.ts';
import { Blocks } from '../blocks/blocks.tsx';
import { Mrkdwn } from '../blocks/elements.tsx';
import { attachmentSchema } from '../blocks/schema.ts';
import { InteractionContext } from '../blocks/use.ts';
import { FormContext } from '../modal/form.ts';
import { withoutBegunTable } from '../model/rows.ts';
import { fullTime, plainText, safeHref } from '../model/texts.ts';
import { Boundary, each, SafeLink } from './basics.tsx';
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

const NAMED: Readonly<Record<string, string>> = { good: '#2eb67d', warning: '#ecb22e', danger: '#e01e5a' };

/** An attachment with its color bar, as monitoring tools send them. */
function Attachment({ attachment }: { attachment: unknown }) {
  const parsed = attachmentSchema.safeParse(attachment);
  if (!parsed.success) return null;
  const {
    pretext = '',
    author_name,
    author_link,
    title,
    title_link,
    text = '',
    fields,
    blocks,
    footer,
    ts,
  } = parsed.data;
  const isEmpty = !title && !text && fields.length === 0 && blocks.length === 0;
  const image = safeHref(parsed.data.image_url);
  return (
    <div className="attachment">
      <Mrkdwn text={pretext} />
      <div className="attachment-body" style={{ borderLeftColor: barColor(parsed.data.color) }}>
        {author_name !== undefined && (
          <SafeLink href={author_link} className="attachment-author">
            {plainText(author_name)}
          </SafeLink>
        )}
        {title !== undefined && (
          <SafeLink href={title_link} className="attachment-title">
            {plainText(title)}
          </SafeLink>
        )}
        <Mrkdwn text={isEmpty ? (parsed.data.fallback ?? '') : text} />
        {fields.length > 0 && (
          <dl className="fields">
            {each(fields, (field) => (
              <Field {...field} />
            ))}
          </dl>
        )}
        {blocks.length > 0 && <Blocks blocks={blocks} />}
        {image !== null && (
          <img
            className="attachment-image"
            src={image}
            alt={plainText(title ?? '')}
            referrerPolicy="no-referrer"
          />
        )}
        {(footer !== undefined || ts !== undefined) && (
          <p className="attachment-footer">
            {[footer && plainText(footer), ts !== undefined && fullTime(Number(ts) * 1000)]
              .filter(Boolean)
              .join(' · ')}
          </p>
        )}
      </div>
    </div>
  );
}

function Field({ title, value, short }: { title: string; value: string; short: boolean }) {
  return (
    <div className={short ? 'field short' : 'field'}>
      <dt>{plainText(title)}</dt>
      <dd>
        <Mrkdwn text={value} />
      </dd>
    </div>
  );
}

/** Slack stores colors without `#`. */
function barColor(color: string | undefined): string {
  const named = NAMED[color ?? ''];
  if (named) return named;
  return /^#?[0-9a-f]{3,8}$/i.test(color ?? '') ? `#${color?.replace('#', '')}` : '#ddd';
}
