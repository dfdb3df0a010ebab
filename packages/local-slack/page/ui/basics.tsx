import {
  Component,
  createElement,
  Fragment,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useRef,
} from 'react';
import { emojiFile, emojiOf } from '../../src/page-emoji.ts';
import { safeHref } from '../model/texts.ts';

/** Draws items in order, keyed by position: for parts without an identity of their own. */
export function each<T>(items: readonly T[], draw: (item: T, index: number) => ReactNode): ReactNode {
  return createElement(Fragment, null, ...items.map(draw));
}

/**
 * The emoji of a shortcode, with or without its colons, as a picture: not every machine has an emoji font. An unknown one
 * stays as `parsed`, if given, otherwise as it was written: `:51:` is part of a time of day.
 */
export function Emoji({ name, parsed }: { name: string; parsed?: string }) {
  const bare = name.replaceAll(':', '');
  const emoji = emojiOf(bare);
  if (emoji === null)
    return <span className="emoji-name">{parsed && parsed !== bare ? parsed : `:${bare}:`}</span>;
  return <img className="emoji" src={`/${emojiFile(emoji)}`} alt={`:${bare}:`} title={`:${bare}:`} />;
}

const COLORS = ['#1f6f8b', '#7a4f9a', '#a3523b', '#2f7d4f', '#8a6d1d', '#3b5ba3', '#9a3f6c', '#4d6470'];

interface AvatarProps {
  name: string;
  /** CSS color; where `null`, one that follows from the name. */
  color: string | null;
  emoji: string | null;
  size: 'small' | 'large';
}

/** A letter, or the sender's emoji where the page knows it, on a colored square. */
export function Avatar({ name, color, emoji, size }: AvatarProps) {
  // People's own colors may be light, and the letter is white.
  const background = color === null ? colorOf(name) : `color-mix(in srgb, ${color} 70%, black)`;
  const bare = emoji?.replaceAll(':', '') ?? '';
  const isKnown = emojiOf(bare) !== null;
  return (
    <span className={`avatar ${size}`} style={{ background }} aria-hidden="true">
      {isKnown ? <Emoji name={bare} /> : ([...name][0]?.toUpperCase() ?? '?')}
    </span>
  );
}

function colorOf(name: string): string {
  const sum = [...name].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  return COLORS[sum % COLORS.length] ?? '#4d6470';
}

interface BannerProps {
  error: string | null;
  isOffline: boolean;
  onDismiss: () => void;
}

/** What the person must know now: the last call's error, and that live updates have stopped. */
export function Banner({ error, isOffline, onDismiss }: BannerProps) {
  return (
    <div className="banners">
      {/* It stands there empty before, so that it is read out. */}
      <div role="status" aria-label="Connection">
        {isOffline && (
          <p className="banner offline">Offline: the workspace is not responding. Reconnecting…</p>
        )}
      </div>
      {error !== null && (
        <div className="banner error" role="alert">
          <span>{error}</span>
          <button type="button" className="plain" aria-label="Dismiss" onClick={onDismiss}>
            ×
          </button>
        </div>
      )}
    </div>
  );
}

interface BoundaryProps {
  /** The subject of the drawing; when it changes, drawing is tried again. */
  subject: unknown;
  children: ReactNode;
  fallback: ReactNode;
}

interface BoundaryState {
  failed: boolean;
  subject: unknown;
}

/** Shows `fallback` where drawing `children` throws: one message's fault stays its own. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { failed: false, subject: this.props.subject };

  static getDerivedStateFromError(): Partial<BoundaryState> {
    return { failed: true };
  }

  static getDerivedStateFromProps(props: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return props.subject === state.subject ? null : { failed: false, subject: props.subject };
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}

const line = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.5, strokeLinecap: 'round' } as const;

// Own drawings, 20 by 20, so that no font is needed for them.
const ICONS = {
  react: (
    <g {...line}>
      <path d="M16.6 9.4A7 7 0 1 1 10.4 3" />
      <path d="M6.6 11.6a3.6 3.6 0 0 0 6.2 0M7.4 7.8v.6M12 7.8v.6M15.5 2v5M13 4.5h5" />
    </g>
  ),
  thread: (
    <path
      d="M4 3.5h12a1.5 1.5 0 0 1 1.5 1.5v7a1.5 1.5 0 0 1-1.5 1.5h-6L6.5 17v-3.5H4A1.5 1.5 0 0 1 2.5 12V5A1.5 1.5 0 0 1 4 3.5Z"
      {...line}
    />
  ),
  more: (
    <g fill="currentColor">
      <circle cx="10" cy="4.5" r="1.5" />
      <circle cx="10" cy="10" r="1.5" />
      <circle cx="10" cy="15.5" r="1.5" />
    </g>
  ),
  bolt: <path d="M11.5 2 4.5 11.5h5L8.5 18l7-9.5h-5Z" {...line} strokeLinejoin="round" />,
  broadcast: <path d="M8 6 4 10l4 4M4 10h7a5 5 0 0 1 5 5" {...line} />,
  sparkle: (
    <g {...line} strokeLinejoin="round">
      <path d="M8.5 4c.7 3.6 1.9 4.8 5.5 5.5-3.6.7-4.8 1.9-5.5 5.5C7.8 11.4 6.6 10.2 3 9.5 6.6 8.8 7.8 7.6 8.5 4Z" />
      <path d="M15 2.5v4M13 4.5h4M15.5 14v3M14 15.5h3" />
    </g>
  ),
  play: <path d="M6 4.2v11.6l9.5-5.8Z" {...line} strokeLinejoin="round" />,
  stop: <rect x="5" y="5" width="10" height="10" rx="2" fill="currentColor" />,
  attach: (
    <path
      d="m15.8 9.3-5.6 5.7a3.6 3.6 0 0 1-5.1-5.1l6.2-6.2a2.4 2.4 0 0 1 3.4 3.4l-6.1 6.1a1.2 1.2 0 0 1-1.7-1.7l5.5-5.5"
      {...line}
    />
  ),
} satisfies Record<string, ReactNode>;

/** A small drawing for a button that bears its own label. */
export function Icon({ name }: { name: keyof typeof ICONS }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
      {ICONS[name]}
    </svg>
  );
}

/** A link out of the page; an address that is no web or mail address is shown as text only. */
export function SafeLink({
  href,
  children,
  className,
}: {
  href: unknown;
  children: ReactNode;
  className?: string;
}) {
  const safe = safeHref(href);
  if (safe === null) return <span className={className}>{children}</span>;
  return (
    <a href={safe} className={className} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}

/** A modal dialog while it is mounted; afterwards the focus returns to where it was. */
export function useShownDialog(): RefObject<HTMLDialogElement | null> {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return ref;
}
