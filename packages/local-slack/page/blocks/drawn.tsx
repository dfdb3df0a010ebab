import { useMemo } from 'react';
import { type Block, Message, type MessageProps } from 'slack-blocks-to-jsx';
import type { PageState } from '../../src/page-api.ts';
import { namesOf } from '../model/compose-text.ts';
import { useDesk } from '../ui/desk.ts';
import { Emoji } from '../ui/emoji.tsx';
import { SafeLink } from '../ui/safe-link.tsx';

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
