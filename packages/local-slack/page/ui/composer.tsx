import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { usageHint } from '../model/completion.ts';
import { AttachButton } from './attach-button.tsx';
import { Attached } from './attached.tsx';
import { useDesk } from './desk.ts';
import { Icon } from './icons.tsx';
import { Menu } from './menu.tsx';
import { currentMessageIn } from './places.ts';
import { ShortcutItems } from './shortcut-items.tsx';
import { Suggestions } from './suggestions.tsx';
import { useCompletion } from './use-completion.ts';

interface Props {
  /** Key of the place it writes to; drafts are kept by it. */
  place: string;
  label: string;
  channel: string;
  thread: string | null;
  drafts: Map<string, string>;
  /** The text below it, instead of the syntax of commands. */
  hint?: string;
  onWrite?: () => void;
}

/** Where messages and slash commands are written: Enter sends, Shift+Enter begins a new line. */
export function Composer({ place, label, channel, thread, drafts, hint, onWrite }: Props) {
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
        {usage ?? hint ?? 'Enter sends · Shift+Enter: new line · / @ # : complete · Ctrl+/: keys'}
      </p>
    </div>
  );
}
