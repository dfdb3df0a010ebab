interface Size {
  width: number;
  height: number;
}

/** A picture of one of the three kinds that Slack shows in blocks. */
export interface Picture extends Size {
  filetype: 'png' | 'gif' | 'jpg';
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The segments of a JPEG that say its size: all "start of frame" markers. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function jpegSize(bytes: Buffer): Size | null {
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes.readUInt8(at + 1);
    if (isFrame(marker)) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** What kind of picture the bytes are, and how large; `null` if they are none, whatever the file is called. */
export function pictureIn(bytes: Buffer): Picture | null {
  if (bytes.length >= 24 && bytes.subarray(0, 8).equals(PNG)) {
    return { filetype: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  if (bytes.length >= 10 && /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) {
    return { filetype: 'gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  }
  const jpeg = bytes.length > 4 && bytes[0] === 0xff && bytes[1] === 0xd8 ? jpegSize(bytes) : null;
  return jpeg && { filetype: 'jpg', ...jpeg };
}
