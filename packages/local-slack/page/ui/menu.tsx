import {
  type KeyboardEvent,
  type ReactNode,
  type ToggleEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';

interface Props {
  label: string;
  icon: ReactNode;
  className: string;
  /** Whether the Tab key stops at the button. */
  isReachable: boolean;
  /** What opens is a list of `role="menuitem"`, or something else. */
  holds: 'menu' | 'dialog';
  /** Drawn only while it is open. */
  children: (close: () => void) => ReactNode;
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** A button and what opens beside it; Escape and a click elsewhere close it, the arrow keys move in it. */
export function Menu({ label, icon, className, isReachable, holds, children }: Props) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (isOpen) box.current?.querySelector<HTMLElement>('button, input')?.focus();
  }, [isOpen]);
  const onKeyDown = (key: KeyboardEvent) => {
    const step = STEPS[key.key];
    if (step === undefined || !box.current) return;
    const items = [...box.current.querySelectorAll<HTMLElement>('[role="menuitem"]')];
    const at = items.findIndex((item) => item.matches(':focus'));
    items[(at + step + items.length) % items.length]?.focus();
    if (items.length > 0) key.preventDefault();
  };
  const opened = {
    'aria-label': label,
    onKeyDown,
    onToggle: (toggle: ToggleEvent) => setOpen(toggle.newState === 'open'),
  };
  return (
    <span className={`menu-holder ${className}`}>
      <button
        type="button"
        className="tool"
        aria-label={label}
        title={label}
        aria-haspopup={holds}
        aria-expanded={isOpen}
        tabIndex={isReachable ? 0 : -1}
        popoverTarget={id}
      >
        {icon}
      </button>
      <div id={id} ref={box} popover="auto" className="menu-box" role={holds} {...opened}>
        {isOpen && children(() => box.current?.hidePopover())}
      </div>
    </span>
  );
}
