import { useEffect, useRef } from 'react';
import { useDesk } from './desk.ts';
import { Icon } from './icons.tsx';

interface Props {
  isOpen: boolean;
  onToggle: () => void;
}

/** Opens the app's pane, as the sign at the top right of Slack does. */
export function AssistantButton({ isOpen, onToggle }: Props) {
  const { bot } = useDesk().workspace;
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    // What had the focus is gone with the pane.
    if (wasOpen.current && !isOpen && document.activeElement === document.body) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return (
    <button
      ref={button}
      type="button"
      className="tool assistant-button"
      aria-label={`Chat with ${bot.name}`}
      title={`Chat with ${bot.name}`}
      aria-expanded={isOpen}
      onClick={onToggle}
    >
      <Icon name="sparkle" />
    </button>
  );
}
