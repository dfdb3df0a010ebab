import { useState } from 'react';
import { Lightbox } from './lightbox.tsx';

const TALLEST = 360;

interface Props {
  src: string;
  alt: string;
  title: string;
  /** Of the whole picture, so that its place is kept while it loads. */
  size: { width: number; height: number } | null;
}

/** A picture as messages show it, under its title; a click shows it in full. */
export function Picture({ src, alt, title, size }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <p className="picture-gone">{`This picture cannot be shown: ${alt}`}</p>;
  const scale = size && Math.min(1, TALLEST / size.height);
  const place = size && scale ? { width: size.width * scale, height: size.height * scale } : {};
  return (
    <figure className="picture">
      {title !== '' && <figcaption>{title}</figcaption>}
      <button type="button" className="plain" title="Show in full" onClick={() => setOpen(true)}>
        <img
          className="picture-image"
          src={src}
          alt={alt}
          {...place}
          referrerPolicy="no-referrer"
          onError={() => setBroken(true)}
        />
      </button>
      {isOpen && <Lightbox src={src} alt={alt} title={title} onClose={() => setOpen(false)} />}
    </figure>
  );
}
