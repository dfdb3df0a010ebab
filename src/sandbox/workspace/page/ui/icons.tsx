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
} satisfies Record<string, ReactNode>;

/** A small drawing for a button that bears its own label. */
export function Icon({ name }: { name: keyof typeof ICONS }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
      {ICONS[name]}
    </svg>
  );
}
