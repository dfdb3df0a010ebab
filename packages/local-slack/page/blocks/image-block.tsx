import { z } from 'zod';
import { slackFileAddress } from '../model/files.ts';
import { safeHref } from '../model/plain.ts';
import { Picture } from '../ui/picture.tsx';
import { text } from './schema.ts';

/** An `image` block: of an address, or of a file of the workspace's. */
export const imageBlock = z.object({
  type: z.literal('image'),
  alt_text: z.string().default(''),
  title: text.optional(),
  image_url: z.string().optional(),
  slack_file: z.unknown().optional(),
});

export function ImageBlock({ block }: { block: z.infer<typeof imageBlock> }) {
  const { alt_text: alt, title, image_url, slack_file } = block;
  const src = slackFileAddress(slack_file) ?? safeHref(image_url);
  if (src === null) return <p className="picture-gone">{`This picture cannot be shown: ${alt}`}</p>;
  return <Picture src={src} alt={alt} title={title?.text ?? ''} size={null} />;
}
