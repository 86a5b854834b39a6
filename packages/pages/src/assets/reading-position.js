// Marks in the contents the section that is being read: the innermost one at a line in the upper part of the window.
const contents = document.querySelector('.contents');
const links = new Map([...contents.querySelectorAll('a')].map((link) => [link.hash.slice(1), link]));
const sections = [...document.querySelectorAll('main section[id]')].filter(({ id }) => links.has(id));
const atLine = new Set();
let marked;

function mark() {
  // The last sections may be too short to reach the line.
  const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
  const read = isAtEnd ? sections.at(-1) : sections.filter((section) => atLine.has(section)).at(-1);
  const link = read && links.get(read.id);
  if (!link || link === marked) return;
  marked?.removeAttribute('aria-current');
  link.setAttribute('aria-current', 'true');
  marked = link;
  // The contents scroll by themselves on wide screens only.
  const [at, frame] = [link.getBoundingClientRect(), contents.getBoundingClientRect()];
  if (at.top < frame.top || at.bottom > frame.bottom)
    contents.scrollTop += at.top - frame.top - frame.height / 2;
}

const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) atLine.add(target);
      else atLine.delete(target);
    }
    mark();
  },
  { rootMargin: '-20% 0px -79% 0px' },
);
for (const section of sections) observer.observe(section);
addEventListener('scroll', mark, { passive: true });
