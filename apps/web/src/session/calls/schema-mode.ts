// Configures the schema library not to compile functions from text: the page's content security
// policy forbids it, and each attempt would be reported as a violation. Imported before any module
// with a schema. Does not import the library, which reads this object when it loads: the sign-in
// form is shown without it.

Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
