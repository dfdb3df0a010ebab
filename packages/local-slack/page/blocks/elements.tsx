import { useId, useMemo, useRef } from 'react';
import { type Block, Message, type MessageProps } from 'slack-blocks-to-jsx';
import type { PageState } from '../../src/page-api.ts';
import { withShortcodes } from '../../src/page-emoji.ts';
import { prepared } from '../model/rows.ts';
import { namesOf, plainText, safeHref } from '../model/texts.ts';
import { Emoji, each, SafeLink, useShownDialog } from '../ui/basics.tsx';
import { useDesk } from '../ui/desk.ts';
import {
  type ButtonElement,
  type Confirm,
  type ElementProps,
  type FeedbackButtonsElement,
  type IconButtonElement,
  type Option,
  type OverflowElement,
  optionUse,
} from './schema.ts';

// Not here: what takes clicks (drawn by the page), `video` (it would load a frame from anywhere), and
// what the library draws nothing for.
const DRAWN: ReadonlySet<unknown> = new Set([
  'alert',
  'context',
  'data_visualization',
  'divider',
  'header',
  'markdown',
  'plan',
  'rich_text',
  'section',
  'table',
  'task_card',
]);

/** Whether `slack-blocks-to-jsx` draws blocks of this type. Its parts may still be malformed: then drawing throws. */
export function isDrawn(block: unknown): block is Block {
  return typeof block === 'object' && block !== null && 'type' in block && DRAWN.has(block.type);
}

/** One block that is only looked at. Links go through `SafeLink`. */
export function Drawn({ block }: { block: Block }) {
  const { workspace } = useDesk();
  const data = useMemo(() => libraryData(workspace), [workspace]);
  return <Message withoutWrapper theme="light" logo="" name="" blocks={[block]} data={data} hooks={hooks} />;
}

const hooks: NonNullable<MessageProps['hooks']> = {
  link: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  emoji: ({ name }, parse) => <Emoji name={name} parsed={parse({ name })} />,
};

function libraryData(workspace: PageState): NonNullable<MessageProps['data']> {
  const { users, channels } = namesOf(workspace);
  return {
    users: users.map(({ id, name }) => ({ id, name })),
    channels: channels.map(({ id, name }) => ({ id, name })),
    user_groups: [],
  };
}

/** Plain text of a label, whose `:shortcodes:` become emoji. */
export function EmojiText({ text }: { text: string }) {
  const parts = withShortcodes(text).split(/(:[a-z0-9_+'-]+:)/);
  return <span>{each(parts, (part, index) => (index % 2 === 1 ? <Emoji name={part} /> : part))}</span>;
}

// Beyond this the library takes seconds for a text of nothing but markup characters.
const LONGEST_DRAWN = 6_000;

/** Text in Slack's own markup; a very long one is plain and scrolls. Nothing for an empty one. */
export function Mrkdwn({ text }: { text: string }) {
  if (text.trim() === '') return null;
  if (text.length > LONGEST_DRAWN) return <p className="plain-text long">{plainText(text)}</p>;
  const block = prepared({ type: 'section', text: { type: 'mrkdwn', text } });
  return isDrawn(block) ? <Drawn block={block} /> : null;
}

interface ConfirmDialogProps {
  confirm: Confirm;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks before a click counts; Escape is no. */
export function ConfirmDialog({ confirm, onConfirm, onCancel }: ConfirmDialogProps) {
  const dialog = useShownDialog();
  return (
    <dialog ref={dialog} className="confirm" aria-labelledby="confirm-title" onClose={onCancel}>
      <h2 id="confirm-title">{confirm.title?.text ?? 'Are you sure?'}</h2>
      <p>{plainText(confirm.text?.text ?? '')}</p>
      <div className="confirm-buttons">
        <button type="button" className="button" onClick={onCancel}>
          {confirm.deny?.text ?? 'Cancel'}
        </button>
        <button
          type="button"
          className={`button ${confirm.style === 'danger' ? 'danger' : 'primary'}`}
          onClick={onConfirm}
        >
          {confirm.confirm?.text ?? 'Yes'}
        </button>
      </div>
    </dialog>
  );
}

/** A small button with a picture; Slack's only icon so far is `trash`. */
export function IconButton({ element, isBusy, onUse }: ElementProps<IconButtonElement>) {
  const { icon, text, value } = element;
  return (
    <button
      type="button"
      className="button icon"
      disabled={isBusy}
      aria-label={text.text}
      title={text.text}
      onClick={() => onUse(value === undefined ? {} : { value })}
    >
      {icon === 'trash' ? <Emoji name="wastebasket" /> : text.text}
    </button>
  );
}

/** A button. One with an address opens it, and tells the app as well, as Slack does. */
export function Button({ element, isBusy, onUse }: ElementProps<ButtonElement>) {
  const { text, value, url, style, accessibility_label: label } = element;
  const onClick = () => {
    const href = safeHref(url);
    if (href !== null) window.open(href, '_blank', 'noreferrer,noopener');
    onUse(value === undefined ? {} : { value });
  };
  return (
    <button
      type="button"
      className={`button ${style === 'primary' || style === 'danger' ? style : ''}`}
      disabled={isBusy}
      aria-busy={isBusy}
      aria-label={label}
      onClick={onClick}
    >
      <EmojiText text={text.text} />
    </button>
  );
}

/** 👍 and 👎 under an answer. */
export function FeedbackButtons({ element, isBusy, onUse }: ElementProps<FeedbackButtonsElement>) {
  const { positive_button: good, negative_button: bad } = element;
  const thumb = ({ text, value }: typeof good, emoji: string) => (
    <button
      type="button"
      className="button icon"
      disabled={isBusy}
      aria-label={text.text}
      title={text.text}
      onClick={() => onUse({ value })}
    >
      <Emoji name={emoji} />
    </button>
  );
  return (
    <>
      {thumb(good, '+1')}
      {thumb(bad, '-1')}
    </>
  );
}

/** The `⋯` menu. */
export function Overflow({ element, isBusy, onUse }: ElementProps<OverflowElement>) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const choose = (option: Option) => {
    menu.current?.hidePopover();
    const href = safeHref(option.url);
    if (href !== null) window.open(href, '_blank', 'noreferrer,noopener');
    onUse({ selected_option: optionUse(option) });
  };
  return (
    <span className="overflow">
      <button
        type="button"
        className="button"
        disabled={isBusy}
        aria-haspopup="menu"
        aria-label="More options"
        popoverTarget={id}
      >
        ⋯
      </button>
      <div id={id} ref={menu} popover="auto" role="menu" className="overflow-menu">
        {element.options.map((option) => (
          <button
            key={`${option.value}${option.text.text}`}
            type="button"
            role="menuitem"
            onClick={() => choose(option)}
          >
            <EmojiText text={option.text.text} />
            {option.description !== undefined && <small>{option.description.text}</small>}
          </button>
        ))}
      </div>
    </span>
  );
}
