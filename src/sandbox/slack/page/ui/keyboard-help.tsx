import { useShownDialog } from './use-shown-dialog.ts';

const KEYS = [
  ['F6', 'The next part of the page: channels, messages, what is beside them. Shift+F6: the one before.'],
  ['↑ and ↓', 'From message to message; Home and End go to the first and the last.'],
  ['Enter, → or T', 'Open the thread of a message.'],
  ['R', 'React to a message.'],
  ['A', 'More actions for a message.'],
  ['Tab', 'What a message holds: its links, buttons and lists.'],
  ['↑', 'In an empty box: to the newest message.'],
  ['/ @ # :', 'Complete a command, a person, a channel, an emoji: ↑ ↓ mark one, Enter or Tab takes it.'],
  ['Enter', 'Send. Shift+Enter begins a new line; Ctrl+Enter sends a window of the app’s.'],
  ['Esc', 'Close what is on top: a list, a window, an error, the thread.'],
  ['?', 'This list. Ctrl+/ where you write.'],
] as const;

/** What can be done with keys; Escape and its button close it. */
export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  const dialog = useShownDialog();
  return (
    <dialog ref={dialog} className="keyboard" aria-labelledby="keyboard-title" onClose={onClose}>
      <header>
        <h2 id="keyboard-title">Keyboard</h2>
        <button type="button" className="plain close" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </header>
      <dl>
        {KEYS.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  );
}
