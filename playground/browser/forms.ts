/** Sends forms and boxes without leaving the page, and shows errors in the form. */

import { announce } from "./live.ts";

interface Answer {
  message?: string;
  error?: string;
  location?: string;
}

/** Handles every form and box of the page, including those that are added later. */
export function takeOverForms(): void {
  document.addEventListener("submit", (event) => {
    event.preventDefault();
    if (event.target instanceof HTMLFormElement) void submit(event.target, event.submitter);
  });
  document.addEventListener("click", (event) => {
    const { target } = event;
    if (!(target instanceof HTMLElement) || target.dataset.fill === undefined) return;
    event.preventDefault();
    fill(target);
  });
  document.addEventListener("keydown", (event) => {
    const isSend = event.key === "Enter" && (event.ctrlKey || event.metaKey);
    if (isSend && event.target instanceof HTMLTextAreaElement) event.target.form?.requestSubmit();
  });
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.name !== "task") return;
    // One tick is sent at a time.
    if (target.form?.ariaBusy === "true") target.checked = !target.checked;
    else target.form?.requestSubmit();
  });
}

async function submit(form: HTMLFormElement, button: HTMLElement | null): Promise<void> {
  // Not `disabled`, which would lose the focus.
  if (form.ariaBusy === "true") return;
  form.ariaBusy = "true";
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form, button)) {
    if (typeof value === "string") body.append(name, value);
  }
  const { error = "", message, location } = await send(form.action, body);
  form.ariaBusy = "false";
  const place = form.querySelector<HTMLElement>(".error");
  if (place !== null) {
    place.textContent = error;
    place.hidden = error === "";
  }
  const isTick = form.dataset.tick !== undefined;
  // Undoes a tick that was refused.
  if (isTick && error !== "") form.reset();
  if (error !== "") return;
  if (location !== undefined) globalThis.location.assign(location);
  for (const field of isTick ? [] : form.elements) {
    if (field instanceof HTMLTextAreaElement) field.value = "";
    if (field instanceof HTMLInputElement) {
      field.value = field.defaultValue;
      field.checked = false;
    }
  }
  if (message !== undefined) announce(message);
}

function fill({ dataset }: HTMLElement): void {
  const field = document.querySelector<HTMLTextAreaElement>(`#${dataset.fill}`);
  if (field === null) return;
  field.value = dataset.text ?? "";
  field.focus();
}

async function send(url: string, body: URLSearchParams): Promise<Answer> {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { accept: "application/json" },
      body,
    });
    return (await answer.json()) as Answer;
  } catch {
    return { error: "The playground does not answer. Is 'npm start -- --keep' still running?" };
  }
}
