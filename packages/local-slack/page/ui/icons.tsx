import type { ReactNode } from 'react';

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
  plus: <path d="M10 4v12M4 10h12" {...line} />,
  clock: (
    <g {...line}>
      <circle cx="10" cy="10" r="7" />
      <path d="M10 6v4.2l2.6 2" />
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
