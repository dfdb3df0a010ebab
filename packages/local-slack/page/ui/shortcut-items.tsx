import type { PageMessage, PageState } from '../../src/page-api.ts';
import { useDesk } from './desk.ts';

interface Props {
  shortcuts: PageState['shortcuts'];
  /** The message that they are for; `null` for global ones. */
  message: PageMessage | null;
  onDone: () => void;
}

/** The app's shortcuts, to choose one of. */
export function ShortcutItems({ shortcuts, message, onDone }: Props) {
  const { workspace, runShortcut } = useDesk();
  return shortcuts.map(({ callback_id, name, description }) => (
    <button
      key={callback_id}
      type="button"
      role="menuitem"
      title={description}
      onClick={() => {
        onDone();
        void runShortcut(callback_id, message);
      }}
    >
      {name}
      <small>{workspace.bot.name}</small>
    </button>
  ));
}
