import type { PageHome } from '../../src/page-api.ts';
import { Blocks } from '../blocks/blocks.tsx';
import { InteractionContext } from '../blocks/use.ts';
import { FormContext } from '../modal/form.ts';
import { useForm } from '../modal/use-form.ts';
import { AppTabs } from './app-tabs.tsx';
import { Boundary } from './basics.tsx';
import { useDesk } from './desk.ts';

interface Props {
  /** `undefined` while it is fetched, `null` if the app has published none. */
  home: PageHome | null | undefined;
  onMenu: () => void;
}

/** The app's Home, as the person sees it. */
export function HomePane({ home, onMenu }: Props) {
  const { bot } = useDesk().workspace;
  return (
    <main className="pane">
      <header className="pane-head">
        <button type="button" className="plain menu" aria-label="Show channels" onClick={onMenu}>
          ☰
        </button>
        <h1>{bot.name}</h1>
        <AppTabs tab="home" />
      </header>
      <section className="home" aria-labelledby="home-title">
        <h2 id="home-title" className="unseen">{`Home of ${bot.name}`}</h2>
        {home === undefined && <p className="empty">Loading…</p>}
        {home === null && <p className="empty">{`${bot.name} has not published a Home yet.`}</p>}
        {home && <HomeBody key={home.id} home={home} />}
      </section>
    </main>
  );
}

function HomeBody({ home }: { home: PageHome }) {
  const { form, failure, click } = useForm(home);
  return (
    <div className="home-body body">
      {failure !== null && (
        <p className="modal-failure" role="alert">
          {failure}
        </p>
      )}
      <Boundary subject={home} fallback={<p>The page cannot show the content of this Home.</p>}>
        <InteractionContext value={click}>
          <FormContext value={form}>
            <Blocks blocks={home.blocks} />
          </FormContext>
        </InteractionContext>
      </Boundary>
    </div>
  );
}
