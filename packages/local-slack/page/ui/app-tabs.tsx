import type { AppTab } from '../model/state.ts';
import { useDesk } from './desk.ts';

const TABS = [
  ['home', 'Home'],
  ['messages', 'Messages'],
] as const;

/** The two sides of the app's place; nothing if the app has no Home. */
export function AppTabs({ tab }: { tab: AppTab }) {
  const { workspace, openTab } = useDesk();
  if (!workspace.bot.has_home) return null;
  return (
    <nav className="app-tabs" aria-label={workspace.bot.name}>
      {TABS.map(([id, label]) => (
        <button
          key={id}
          type="button"
          className="plain"
          aria-current={id === tab ? 'page' : undefined}
          onClick={() => openTab(id)}
        >
          {label}
        </button>
      ))}
    </nav>
  );
}
