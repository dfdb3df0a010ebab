import { useEffect, useRef } from 'react';
import type { PagePanel } from '../../src/page-panel.ts';
import { degradations } from '../model/panel.ts';
import { Icon } from '../ui/icons.tsx';

interface Props {
  panel: PagePanel | null;
  isOpen: boolean;
  onToggle: () => void;
}

/** Opens the panel, and shows what is degraded, so that nobody wonders why things fail. */
export function PanelButton({ panel, isOpen, onToggle }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    const focused = document.activeElement;
    // The focused element disappears with the panel.
    const isLost = focused === document.body || focused?.closest('#control-panel') != null;
    if (wasOpen.current && !isOpen && isLost) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const lines = panel === null ? [] : degradations(panel);
  return (
    <div className="panel-foot">
      <button
        ref={button}
        type="button"
        className="plain"
        aria-expanded={isOpen}
        aria-controls={isOpen ? 'control-panel' : undefined}
        onClick={onToggle}
      >
        <Icon name="play" />
        Scenarios
      </button>
      <div role="status" aria-label="Degraded parts">
        {lines.map((line) => (
          <p key={line} className="trouble">
            {line}
          </p>
        ))}
      </div>
    </div>
  );
}
