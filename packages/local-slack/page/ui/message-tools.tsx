import type { PageMessage } from '../../src/page-api.ts';
import { useDesk } from './desk.ts';
import { EmojiPicker } from './emoji-picker.tsx';
import { Icon } from './icons.tsx';
import { Menu } from './menu.tsx';
import { ShortcutItems } from './shortcut-items.tsx';

interface Props {
  message: PageMessage;
  place: 'channel' | 'thread';
  /** Whether the Tab key stops here: only at the message that the reader is on. */
  isReachable: boolean;
}

/** What can be done with a message: seen while the pointer or the focus is on it. */
export function MessageTools({ message, place, isReachable }: Props) {
  const { workspace, openThread } = useDesk();
  const shortcuts = workspace.shortcuts.filter(({ type }) => type === 'message');
  return (
    <div className="tools">
      <Menu
        label="React"
        icon={<Icon name="react" />}
        className="to-left"
        isReachable={isReachable}
        holds="dialog"
      >
        {(close) => <EmojiPicker message={message} onDone={close} />}
      </Menu>
      {place === 'channel' && (
        <button
          type="button"
          className="tool"
          aria-label="Reply in thread"
          title="Reply in thread"
          tabIndex={isReachable ? 0 : -1}
          onClick={() => openThread(message)}
        >
          <Icon name="thread" />
        </button>
      )}
      {shortcuts.length > 0 && (
        <Menu
          label="More actions"
          icon={<Icon name="more" />}
          className="to-left"
          isReachable={isReachable}
          holds="menu"
        >
          {(close) => <ShortcutItems shortcuts={shortcuts} message={message} onDone={close} />}
        </Menu>
      )}
    </div>
  );
}
