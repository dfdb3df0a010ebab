import type { ReactNode } from 'react';
import type { PageChannel, PageState, PageUser } from '../../src/page-api.ts';
import { Avatar } from './avatar.tsx';
import { Emoji } from './emoji.tsx';

interface Props {
  workspace: PageState;
  /** Those that the person sees. */
  channels: readonly PageChannel[];
  as: string;
  channel: string;
  /** The app's Home is open. */
  isApp: boolean;
  unread: Readonly<Record<string, number>>;
  /** Stands under the places. */
  foot: ReactNode;
  onApp: () => void;
  onChannel: (id: string) => void;
  onActAs: (user: string) => void;
  /** Says what the keys do. */
  onKeys: () => void;
}

/** Channels, direct messages, the app and whether it is there, and whom the person acts as. */
export function Sidebar({
  workspace,
  channels,
  as,
  channel,
  isApp,
  unread,
  foot,
  onApp,
  onChannel,
  onActAs,
  onKeys,
}: Props) {
  const { team, bot } = workspace;
  const item = (entry: PageChannel) => (
    <ChannelItem
      key={entry.id}
      channel={entry}
      isOpen={entry.id === channel}
      unread={unread[entry.id] ?? 0}
      onOpen={onChannel}
    />
  );
  const direct = channels.filter((entry) => entry.is_im);
  return (
    <nav className="sidebar" aria-label="Channels">
      <header>
        <strong>{team.name}</strong>
        <span>on this machine</span>
        <button type="button" className="keys" aria-label="Keyboard" title="Keyboard (?)" onClick={onKeys}>
          ?
        </button>
      </header>
      <div className="places">
        <h2 id="channels-title">Channels</h2>
        <ul aria-labelledby="channels-title">{channels.filter((entry) => !entry.is_im).map(item)}</ul>
        {direct.length > 0 && (
          <>
            <h2 id="direct-title">Direct messages</h2>
            <ul aria-labelledby="direct-title">{direct.map(item)}</ul>
          </>
        )}
        <h2>Apps</h2>
        <button
          type="button"
          className="app-presence"
          aria-current={isApp ? 'page' : undefined}
          onClick={onApp}
        >
          <i className={bot.online ? 'dot online' : 'dot'} />
          <span>{bot.name}</span>
          <small role="status" aria-label={`${bot.name} is ${bot.online ? 'online' : 'offline'}`}>
            {bot.online ? 'online' : 'offline'}
          </small>
        </button>
      </div>
      {foot}
      <ActAs workspace={workspace} as={as} onActAs={onActAs} />
    </nav>
  );
}

interface ItemProps {
  channel: PageChannel;
  isOpen: boolean;
  unread: number;
  onOpen: (id: string) => void;
}

function ChannelItem({ channel, isOpen, unread, onOpen }: ItemProps) {
  const sign = channel.is_im ? '@' : channel.is_private ? <Emoji name="lock" /> : '#';
  return (
    <li>
      <button
        type="button"
        className={unread > 0 ? 'unread' : ''}
        aria-current={isOpen ? 'page' : undefined}
        onClick={() => onOpen(channel.id)}
      >
        <i aria-hidden="true">{sign}</i>
        <span>{channel.name}</span>
        {channel.is_private && <span className="unseen"> (private)</span>}
        {unread > 0 && (
          <b title={`${unread} new`}>
            {unread}
            <span className="unseen"> new</span>
          </b>
        )}
      </button>
    </li>
  );
}

const ROLES = [
  ['admin', 'Admins'],
  [undefined, 'Members'],
  ['guest', 'Guests'],
  ['external', 'From outside'],
] as const satisfies [PageUser['role'], string][];

function ActAs({ workspace, as, onActAs }: Pick<Props, 'workspace' | 'as' | 'onActAs'>) {
  const people = workspace.users.filter((user) => !user.is_bot);
  const me = people.find((user) => user.id === as);
  return (
    <label className="act-as">
      <Avatar name={me?.name ?? '?'} color={me?.color ?? null} emoji={null} size="large" />
      <span>
        <small>You act as · {me?.role ?? 'member'}</small>
        <select value={as} onChange={(change) => onActAs(change.target.value)}>
          {ROLES.map(([role, label]) => (
            <optgroup key={label} label={label} hidden={!people.some((user) => user.role === role)}>
              {people
                .filter((user) => user.role === role)
                .map((user) => (
                  <option key={user.id} value={user.id}>
                    {user.real_name || user.name}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      </span>
    </label>
  );
}
