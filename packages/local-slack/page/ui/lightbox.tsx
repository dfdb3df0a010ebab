import { useShownDialog } from './use-shown-dialog.ts';

// A click beside it closes it, too.
const LIGHT = { closedby: 'any' } as const;

interface Props {
  src: string;
  alt: string;
  title: string;
  onClose: () => void;
}

/** A picture in full over the page; Escape and a click beside it close it. */
export function Lightbox({ src, alt, title, onClose }: Props) {
  const dialog = useShownDialog();
  return (
    <dialog ref={dialog} className="lightbox" aria-label={title || alt} onClose={onClose} {...LIGHT}>
      <header>
        <strong className="lightbox-title">{title}</strong>
        <a className="plain" href={src} download>
          Download
        </a>
        <button type="button" className="plain close" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </header>
      <img src={src} alt={alt} />
    </dialog>
  );
}
