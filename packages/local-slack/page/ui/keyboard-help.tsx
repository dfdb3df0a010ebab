import { useShownDialog } from './use-shown-dialog.ts';

const KEYS = [
  ['F6', 'Next part of the page: channels, messages, side pane. Shift+F6: the previous one.'],
  ['↑ and ↓', 'Previous or next message; Home and End go to the first and the last.'],
  ['Enter, → or T', 'Open the thread.'],
  ['R', 'Add a reaction.'],
  ['A', 'More actions.'],
  ['Tab', 'Into the message: its links, buttons and menus.'],
  ['↑', 'In an empty composer: go to the newest message.'],
  ['/ @ # :', 'Complete a command, person, channel or emoji: ↑ ↓ to select, Enter or Tab to accept.'],
  ['Enter', 'Send. Shift+Enter starts a new line; Ctrl+Enter submits a modal.'],
  ['Esc', 'Close what is on top: a menu, a modal, an error, the thread.'],
  ['?', 'This list. Ctrl+/ in a composer.'],
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
