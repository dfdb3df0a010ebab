import {
  type ChangeEvent,
  type FormEvent,
  type KeyboardEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { PageMessage, PageState } from '../../src/page-api.ts';
import { EmojiText } from '../blocks/elements.tsx';
import { attachmentSchema, optionUse, type Use } from '../blocks/schema.ts';
import type { Form } from '../modal/form.ts';
import type { ElementState } from '../modal/input-schema.ts';
import { isPicked, valuesOf, withState } from '../modal/values.ts';
import { type Completion, complete, type Suggestion, usageHint } from '../model/completion.ts';
import { listKey } from '../model/lists.ts';
import { sizeWords } from '../model/texts.ts';
import { Emoji, Icon } from './basics.tsx';
import { useDesk } from './desk.ts';
import { currentMessageIn } from './keyboard.tsx';
import { Menu, ShortcutItems } from './menu.tsx';

interface ComposerProps {
  /** Key of the place it writes to; drafts are kept by it. */
  place: string;
  label: string;
  channel: string;
  thread: string | null;
  drafts: Map<string, string>;
  onWrite?: () => void;
}

/** Where messages and slash commands are written: Enter sends, Shift+Enter begins a new line. */
export function Composer({ place, label, channel, thread, drafts, onWrite }: ComposerProps) {
  const { workspace, submit, upload } = useDesk();
  const box = useRef<HTMLTextAreaElement>(null);
  const [typed, setTyped] = useState(drafts.get(place) ?? '');
  const [files, setFiles] = useState<readonly File[]>([]);
  const [isSending, setSending] = useState(false);
  const listId = useId();

  const write = (next: string, caret = next.length) => {
    setTyped(next);
    drafts.set(place, next);
    completion.moved(next, caret);
    onWrite?.();
  };
  const completion = useCompletion(workspace, (next, caret) => {
    write(next, caret);
    requestAnimationFrame(() => box.current?.setSelectionRange(caret, caret));
  });

  const isEmpty = typed.trim() === '' && files.length === 0;
  const send = async () => {
    if (isEmpty || isSending) return;
    setSending(true);
    const isDone = await (files.length === 0
      ? submit(typed, channel, thread)
      : upload(typed, files, channel, thread));
    setSending(false);
    if (isDone) {
      write('');
      setFiles([]);
    }
    // Only if nothing outside has been focused in the meantime.
    const { activeElement } = document;
    const composer = box.current?.closest('.composer');
    if (activeElement === document.body || composer?.contains(activeElement)) box.current?.focus();
  };

  const onKeyDown = (key: KeyboardEvent<HTMLTextAreaElement>) => {
    if (key.nativeEvent.isComposing) return;
    if (completion.onKey(key.key)) {
      key.preventDefault();
      return;
    }
    if (key.key === 'ArrowUp' && typed === '') {
      key.preventDefault();
      currentMessageIn(box.current?.closest('.pane'))?.focus();
    }
    if (key.key === 'Enter' && !key.shiftKey) {
      key.preventDefault();
      void send();
    }
  };

  // The box grows with what is written, up to the height its style allows.
  useLayoutEffect(() => {
    if (!box.current) return;
    box.current.style.height = 'auto';
    box.current.style.height = `${box.current.scrollHeight}px`;
  });

  const shortcuts = workspace.shortcuts.filter(({ type }) => type === 'global');
  const usage = usageHint(typed, workspace);
  return (
    <div className="composer">
      <Suggestions id={listId} completion={completion} />
      <div className="box">
        <Attached
          files={files}
          onRemove={(gone) => {
            setFiles(files.filter((file) => file !== gone));
            box.current?.focus();
          }}
        />
        <AttachButton
          onChoose={(chosen) => {
            setFiles([...files, ...chosen]);
            onWrite?.();
            box.current?.focus();
          }}
        />
        <textarea
          ref={box}
          rows={1}
          value={typed}
          aria-label={label}
          placeholder={label}
          aria-autocomplete="list"
          aria-controls={listId}
          aria-activedescendant={completion.open ? `${listId}-${completion.chosen}` : undefined}
          onChange={(change) => write(change.target.value, change.target.selectionStart)}
          onKeyDown={onKeyDown}
          onBlur={completion.close}
        />
        {shortcuts.length > 0 && (
          <Menu label="Shortcuts" icon={<Icon name="bolt" />} className="upward" isReachable holds="menu">
            {(close) => <ShortcutItems shortcuts={shortcuts} message={null} onDone={close} />}
          </Menu>
        )}
        <button
          type="button"
          className="send"
          aria-label="Send"
          disabled={isEmpty || isSending}
          onClick={() => void send()}
        >
          ➤
        </button>
      </div>
      <p className="hint">
        {usage ?? 'Enter sends · Shift+Enter: new line · / @ # : complete · Ctrl+/: keys'}
      </p>
    </div>
  );
}

/** Lets the person choose files. */
function AttachButton({ onChoose }: { onChoose: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    onChoose([...(target.files ?? [])]);
    // Else the same file could not be chosen again after it was removed.
    target.value = '';
  };
  return (
    <>
      <button
        type="button"
        className="tool attach"
        aria-label="Attach files"
        title="Attach files"
        onClick={() => input.current?.click()}
      >
        <Icon name="attach" />
      </button>
      <input ref={input} type="file" multiple hidden onChange={onChange} />
    </>
  );
}

interface AttachedProps {
  files: readonly File[];
  onRemove: (file: File) => void;
}

/** The files that go with what is being written. */
function Attached({ files, onRemove }: AttachedProps) {
  if (files.length === 0) return null;
  return (
    <ul className="attached" aria-label="Attached files">
      {files.map((file) => (
        <li key={`${file.name}/${file.size}/${file.lastModified}`}>
          <span className="attached-name">{file.name}</span>
          <small>{sizeWords(file.size)}</small>
          <button
            type="button"
            className="plain"
            aria-label={`Remove ${file.name}`}
            onClick={() => onRemove(file)}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The list over the composer: commands, people, or channels. */
function Suggestions({ id, completion }: { id: string; completion: CompletionList }) {
  const { open, chosen, accept } = completion;
  return (
    <div id={id} role="listbox" aria-label="Suggestions" className="suggestions" hidden={!open}>
      {open?.suggestions.map((suggestion, index) => (
        <div
          key={suggestion.insert}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          // Not click: the composer would lose the focus, and the list close, before it.
          onPointerDown={(press) => {
            press.preventDefault();
            accept(suggestion);
          }}
        >
          <b>{suggestion.label}</b> <EmojiText text={suggestion.detail} />
        </div>
      ))}
    </div>
  );
}

/** The list of suggestions over a composer, and the keys that move in it. */
export interface CompletionList {
  /** `null` while there is nothing to suggest. */
  open: Completion | null;
  /** Index of the highlighted suggestion. */
  chosen: number;
  /** The text or the caret has changed. */
  moved: (typed: string, caret: number) => void;
  accept: (suggestion: Suggestion) => void;
  close: () => void;
  /** Whether the key was meant for the list. */
  onKey: (key: string) => boolean;
}

/** `onAccept` gets the text with the suggestion in it, and the new position of the caret. */
function useCompletion(
  workspace: PageState,
  onAccept: (typed: string, caret: number) => void,
): CompletionList {
  const [open, setOpen] = useState<Completion | null>(null);
  const [chosen, setChosen] = useState(0);
  const [written, setWritten] = useState({ typed: '', caret: 0 });

  const moved = (typed: string, caret: number) => {
    setWritten({ typed, caret });
    setOpen(complete(typed, caret, workspace));
    setChosen(0);
  };
  const close = () => setOpen(null);
  const accept = ({ insert }: Suggestion) => {
    if (!open) return;
    const head = `${written.typed.slice(0, open.from)}${insert}`;
    onAccept(`${head}${written.typed.slice(written.caret)}`, head.length);
  };
  const onKey = (key: string): boolean => {
    if (!open) return false;
    const count = open.suggestions.length;
    const marked = open.suggestions[chosen];
    if (key === 'ArrowDown') setChosen((chosen + 1) % count);
    else if (key === 'ArrowUp') setChosen((chosen + count - 1) % count);
    else if (key === 'Escape') close();
    else if ((key === 'Enter' || key === 'Tab') && marked) accept(marked);
    else return false;
    return true;
  };
  return { open, chosen, moved, accept, close, onKey };
}

/** The value of an input on a message. */
function saidBy(state: ElementState): Use {
  if ('value' in state) return state.value === null ? {} : { value: state.value };
  if ('selected_options' in state) return { selected_options: state.selected_options.map(optionUse) };
  if (isPicked(state)) {
    const { type: _, ...held } = state;
    return held;
  }
  return state.selected_option === null ? {} : { selected_option: optionUse(state.selected_option) };
}

function blocksOf({ blocks = [], attachments = [] }: PageMessage): unknown[] {
  const attached = attachments.flatMap((one) => attachmentSchema.safeParse(one).data?.blocks ?? []);
  return [...blocks, ...attached];
}

/** What the person has ticked and chosen on a message; kept across its updates, and while another channel is open. */
export function useMessageForm(message: PageMessage): Form {
  const { as, held, click, suggest } = useDesk();
  const key = `${as}/${listKey(message.channel, message.ts)}`;
  const [kept, setKept] = useState(() => ({ message, values: valuesOf(blocksOf(message), held.get(key)) }));
  if (kept.message !== message) {
    setKept({ message, values: valuesOf(blocksOf(message), kept.values) });
  }
  return {
    values: kept.values,
    errors: {},
    change: (blockId, actionId, state) => {
      const values = withState(kept.values, blockId, actionId, state);
      held.set(key, values);
      setKept({ message, values });
    },
    dispatch: (block_id, action_id, state) => {
      void click(message, { block_id, action_id, ...saidBy(state) });
    },
    suggest: (block_id, action_id, value) =>
      suggest({ channel: message.channel, message_ts: message.ts, block_id, action_id, value }),
  };
}

const OFTEN = ['mag', 'eyes', '+1', '-1', 'white_check_mark'];

/** The emoji that are used most, and a field for any other's shortcode. One that is there already is taken back. */
export function EmojiPicker({ message, onDone }: { message: PageMessage; onDone: () => void }) {
  const { as, react } = useDesk();
  const [typed, setTyped] = useState('');
  const toggle = (name: string) => {
    const isMine = message.reactions?.some((other) => other.name === name && other.users.includes(as));
    onDone();
    void react(message, name, !isMine);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const name = typed.trim().replaceAll(':', '').toLowerCase();
    if (name !== '') toggle(name);
  };
  return (
    <form className="emoji-picker" onSubmit={onSubmit}>
      <div>
        {OFTEN.map((name) => (
          <button key={name} type="button" title={`:${name}:`} onClick={() => toggle(name)}>
            <Emoji name={name} />
          </button>
        ))}
      </div>
      <div>
        <input
          className="control"
          aria-label="Shortcode"
          placeholder="Another one, e.g. :tada:"
          value={typed}
          onChange={(change) => setTyped(change.target.value)}
        />
        <button type="submit" className="button" disabled={typed.trim() === ''}>
          Add
        </button>
      </div>
    </form>
  );
}
