import type { PageMessage } from '../../page-api.ts';
import { useDesk } from './desk.ts';
import { Emoji } from './emoji.tsx';

/** Emoji that people and apps put on a message, each with its count and, as a hint, by whom. */
export function Reactions({ reactions }: { reactions: NonNullable<PageMessage['reactions']> }) {
  const { workspace, as } = useDesk();
  if (reactions.length === 0) return null;
  const nameOf = (id: string) => {
    if (id === workspace.bot.user_id) return workspace.bot.name;
    return workspace.users.find((user) => user.id === id)?.name ?? id;
  };
  return (
    <ul className="reactions" aria-label="Reactions">
      {reactions.map(({ name, count, users }) => (
        <li
          key={name}
          className={users.includes(as) ? 'mine' : ''}
          title={`${users.map(nameOf).join(', ')} reacted with :${name}:`}
        >
          <Emoji name={name} /> <span>{count}</span>
        </li>
      ))}
    </ul>
  );
}
