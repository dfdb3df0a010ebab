import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { PagePanel } from '../../src/page-panel.ts';
import { Faults } from './faults.tsx';
import { GivenSection, IncomingWebhooks, Sockets } from './sections.tsx';

interface Props {
  /** `null` until it is known. */
  panel: PagePanel | null;
  isOpen: boolean;
  onClose: () => void;
}

/** The control panel beside the channel. While closed it keeps its selections. */
export function Panel({ panel, isOpen, onClose }: Props) {
  const frame = useRef<HTMLElement>(null);
  const [wasOpened, setOpened] = useState(isOpen);
  if (isOpen && !wasOpened) setOpened(true);
  useEffect(() => {
    if (isOpen) frame.current?.focus();
  }, [isOpen]);
  if (!wasOpened) return null;
  const parts = panel === null ? [] : partsOf(panel);
  return (
    <aside
      ref={frame}
      id="control-panel"
      className="pane thread control-panel"
      aria-label="Scenarios"
      tabIndex={-1}
      hidden={!isOpen}
      onKeyDown={(key) => key.key === 'Escape' && onClose()}
    >
      <header className="pane-head">
        <h2>Scenarios</h2>
        <span className="topic">Control what happens around the app</span>
        <button type="button" className="plain close" aria-label="Close scenarios" onClick={onClose}>
          ×
        </button>
      </header>
      <nav className="panel-parts" aria-label="Sections">
        {parts.map(({ id, short }) => (
          <button key={id} type="button" className="plain" onClick={() => goTo(id)}>
            {short}
          </button>
        ))}
      </nav>
      <div className="panel-body">
        {panel === null && <p className="empty">Loading…</p>}
        {parts.map(({ id, title, about, body }) => (
          <Section key={id} id={id} title={title} about={about}>
            {body}
          </Section>
        ))}
      </div>
    </aside>
  );
}

interface Part {
  id: string;
  /** Label in the panel's navigation. */
  short: string;
  title: string;
  about: string;
  body: ReactNode;
}

/** The sections of whoever started the workspace, and its own. */
function partsOf({ sections, webhooks, faults }: PagePanel): Part[] {
  const given = sections.map((section) => {
    const { id, short, title, about } = section;
    return { id: `panel-${id}`, short, title, about, body: <GivenSection section={section} /> };
  });
  const ofWebhooks = {
    id: 'panel-webhooks',
    short: 'Webhooks',
    title: 'Incoming webhooks',
    about: 'Where a tool on this machine posts, as it would to Slack: Alertmanager’s `api_url`, for example.',
    body: <IncomingWebhooks webhooks={webhooks} />,
  };
  const slack = {
    id: 'panel-slack',
    short: 'Slack',
    title: 'Slack',
    about: 'Makes the local Slack misbehave like the real one on a bad day.',
    body: (
      <>
        <Sockets />
        <Faults known={faults} />
      </>
    ),
  };
  return [...given, ...(webhooks.length > 0 ? [ofWebhooks] : []), slack];
}

function goTo(id: string): void {
  const heading = document.getElementById(id);
  heading?.scrollIntoView({ block: 'start' });
  heading?.focus({ preventScroll: true });
}

interface SectionProps {
  id: string;
  title: string;
  /** What it is for, in one line. */
  about: string;
  children: ReactNode;
}

/** A part of the panel. */
function Section({ id, title, about, children }: SectionProps) {
  return (
    <section className="panel-section" aria-labelledby={id}>
      <h3 id={id} tabIndex={-1}>
        {title}
      </h3>
      <p className="about">{about}</p>
      {children}
    </section>
  );
}
