/** What an element is made of. There is no way to give it HTML: texts of agents are data (B175). */
export interface ElementParts {
  readonly class?: string;
  readonly text?: string;
  /** Attributes by name; one that is undefined is left out. */
  readonly attributes?: Readonly<Record<string, string | undefined>>;
}

/** Makes an element with children. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  { class: className, text, attributes = {} }: ElementParts = {},
  ...children: readonly Node[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (className !== undefined) made.className = className;
  if (text !== undefined) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/** Makes a button that submits nothing. */
export function button(text: string, onClick: () => void, className?: string): HTMLButtonElement {
  const made = element('button', {
    text,
    attributes: { type: 'button' },
    ...(className === undefined ? {} : { class: className }),
  });
  made.addEventListener('click', onClick);
  return made;
}

/** Sets a text only when it is another one, so that a screen reader is not told the same again. */
export function setText(node: HTMLElement, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}
