import { openIm } from '../conversations.ts';
import { personOf } from '../interact/person.ts';
import type { PageMessagesTab } from '../page-api.ts';
import type { TabPrompts } from '../store/messages-tabs.ts';
import type { WorkspaceContext } from '../workspace-context.ts';

/** A person's Messages tab: the prompts are those of the manifest until the app sets others. */
export function messagesTab(context: WorkspaceContext, user: string): PageMessagesTab {
  const { id } = personOf(context, user);
  const { store, manifest } = context;
  const set = store.messagesTabs.get(id);
  return {
    user: id,
    channel: openIm(context, id).id,
    prompts_title: set?.prompts_title ?? null,
    prompts: set?.prompts ?? [...(manifest.agent?.prompts ?? [])],
  };
}

/** Puts prompts on top of a person's Messages tab. */
export function setTabPrompts(context: WorkspaceContext, user: string, prompts: TabPrompts): void {
  context.store.messagesTabs.put(user, prompts);
  context.page.emit({ type: 'messages_tab', tab: messagesTab(context, user) });
}
