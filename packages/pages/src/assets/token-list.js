// Adds to the list of tokens a box that selects all rows, and a menu to each row. Without this script, the page of a token has
// the links of the menu.
const boxes = [...document.querySelectorAll('.rows [name=id]')];

/** Makes an element with these properties. */
const make = (tag, properties) => Object.assign(document.createElement(tag), properties);

function addSelectAll() {
  const button = document.querySelector('.rows .button');
  const label = button.textContent;
  const all = make('input', { type: 'checkbox', ariaLabel: 'Select all' });
  const show = () => {
    const count = boxes.filter((box) => box.checked).length;
    all.checked = count === boxes.length;
    all.indeterminate = count > 0 && !all.checked;
    button.disabled = count === 0;
    button.textContent = count === 0 ? label : `${label} (${count})`;
  };
  all.onchange = () => {
    for (const box of boxes) box.checked = all.checked;
    show();
  };
  for (const box of boxes) box.onchange = show;
  button.parentElement.prepend(all);
  // A browser that comes back to the page checks the boxes again after the script ran.
  addEventListener('pageshow', show);
  show();
}

function addMenus() {
  const menu = make('div', { className: 'menu', popover: 'auto' });
  const links = ['View', 'Rotate', 'Revoke'].map((textContent) => make('a', { textContent }));
  menu.append(...links);
  document.querySelector('.rows').after(menu);
  for (const box of boxes) {
    const cell = box.parentElement;
    const more = make('button', {
      type: 'button',
      className: 'button button-quiet more',
      // Bullets, because some fonts have no ellipsis in the middle of the line.
      textContent: '•••',
      ariaLabel: `Actions: ${box.ariaLabel}`,
      popoverTargetElement: menu,
    });
    more.onclick = () => {
      const path = cell.querySelector('a').getAttribute('href');
      const ends = ['', '/rotate', '/revoke'];
      for (const [index, link] of links.entries()) link.href = path + ends[index];
      links[1].style.display = 'replaced' in box.dataset ? 'none' : '';
      const { right, bottom } = more.getBoundingClientRect();
      menu.style.right = `${document.documentElement.clientWidth - right}px`;
      menu.style.top = `${Math.min(bottom, innerHeight - 150)}px`;
    };
    cell.append(more);
  }
  // The menu stays in its place on the screen, so it is closed when its row moves.
  addEventListener('scroll', () => menu.matches(':popover-open') && menu.hidePopover());
}

if (boxes.length > 0) {
  addSelectAll();
  addMenus();
}
