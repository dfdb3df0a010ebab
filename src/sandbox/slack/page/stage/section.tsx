import type { ReactNode } from 'react';

interface Props {
  id: string;
  title: string;
  /** What it is for, in one line. */
  about: string;
  children: ReactNode;
}

/** A part of the panel. */
export function Section({ id, title, about, children }: Props) {
  return (
    <section className="stage-section" aria-labelledby={id}>
      <h3 id={id} tabIndex={-1}>
        {title}
      </h3>
      <p className="about">{about}</p>
      {children}
    </section>
  );
}
