// Stands in for the drawing process: does what the SVG says, and answers with its process id as the picture.
process.on('message', ({ picture: { svg } }: { picture: { svg: string } }) => {
  if (svg === 'hang') for (;;);
  if (svg === 'crash') process.exit(7);
  if (svg === 'nonsense') process.send?.({ hello: 'world' });
  else if (svg === 'fail') process.send?.({ ok: false, problem: 'no ink' });
  else process.send?.({ ok: true, result: new TextEncoder().encode(String(process.pid)) });
});
