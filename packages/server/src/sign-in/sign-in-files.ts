/** The script of the sign-in page. The code stands behind the #, so no server and no log has seen it. */
export const SIGN_IN_SCRIPT = `const form = document.getElementById('sign-in');
const outcome = document.getElementById('outcome');

async function signIn(code) {
  outcome.textContent = 'Signing in…';
  try {
    const response = await fetch('/login', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    if (response.ok) {
      location.replace('/');
      return;
    }
    const { detail } = await response.json();
    outcome.textContent = detail;
  } catch {
    outcome.textContent = 'The server did not answer. Try again.';
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  signIn(form.elements.code.value.trim());
});

const code = new URLSearchParams(location.hash.slice(1)).get('code');
if (code !== null) {
  // The code works once, but it need not stay in the history either.
  history.replaceState(null, '', location.pathname);
  signIn(code);
}
`;

/** The looks of the sign-in page. */
export const SIGN_IN_STYLE = `:root {
  color-scheme: light dark;
  font-family: system-ui, sans-serif;
}
main {
  max-width: 26rem;
  margin: 15vh auto;
  padding: 0 1rem;
}
label {
  display: block;
  margin-bottom: 0.25rem;
}
input,
button {
  font: inherit;
  padding: 0.4rem 0.6rem;
}
`;
