import type { ReactNode } from 'react';
import { safeHref } from '../model/plain.ts';

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
