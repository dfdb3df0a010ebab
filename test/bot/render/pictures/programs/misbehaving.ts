// Stands in for the drawing process: does what the SVG says, and answers with its process id as the picture.
process.on('message', ({ svg, zoom }: { svg: string; zoom: number }) => {
  if (svg === 'hang') for (;;);
  if (svg === 'crash') process.exit(7);
  if (svg === 'nonsense') process.send?.({ hello: 'world' });
  else if (svg === 'fail') process.send?.({ ok: false, problem: 'no ink' });
  else process.send?.({ ok: true, result: answer(svg, zoom) });
});

function answer(svg: string, zoom: number): Uint8Array {
  if (svg === 'big') return new Uint8Array(3_000_000);
  if (svg === 'big when large')
    return zoom < 2 ? new TextEncoder().encode(`zoom ${zoom}`) : new Uint8Array(3_000_000);
  return new TextEncoder().encode(String(process.pid));
}
