package app.keyfold.mail;

import android.content.Intent;
import android.net.Uri;
import android.os.Parcelable;
import java.util.ArrayList;
import java.util.List;

/**
 * Converts content that another app shares into a URL that the web client opens as a new message:
 * keyfold-share://letter?to=…&cc=…&bcc=…&subject=…&text=…&file=content://…
 *
 * The page reads files from their owner through Capacitor. Nothing is copied, and names from
 * another app never reach the disk. Only this class may create such URLs. A URL from outside is
 * dropped; otherwise a web page could name files that only this app may read.
 */
final class SharedLetter {

    static final String SCHEME = "keyfold-share";

    /** More than any message has; longer text is cut. */
    private static final int MAX_CHARACTERS = 100_000;
    private static final int MAX_FILES = 100;

    private SharedLetter() {}

    /** Returns the same intent, or an equivalent one with a URL. */
    static Intent toAddress(Intent intent, String ownPackage) {
        String action = intent.getAction();
        if (isOurs(intent.getData())) return new Intent(Intent.ACTION_MAIN);
        if (Intent.ACTION_SENDTO.equals(action)) return new Intent(intent).setAction(Intent.ACTION_VIEW);
        if (!Intent.ACTION_SEND.equals(action) && !Intent.ACTION_SEND_MULTIPLE.equals(action)) return intent;

        Uri.Builder address = new Uri.Builder().scheme(SCHEME).authority("letter");
        addAll(address, "to", intent.getStringArrayExtra(Intent.EXTRA_EMAIL));
        addAll(address, "cc", intent.getStringArrayExtra(Intent.EXTRA_CC));
        addAll(address, "bcc", intent.getStringArrayExtra(Intent.EXTRA_BCC));
        add(address, "subject", intent.getCharSequenceExtra(Intent.EXTRA_SUBJECT));
        add(address, "text", intent.getCharSequenceExtra(Intent.EXTRA_TEXT));
        for (Uri file : filesOf(intent, action)) {
            if (isReadable(file, ownPackage)) address.appendQueryParameter("file", file.toString());
        }
        return new Intent(Intent.ACTION_VIEW, address.build()).addFlags(intent.getFlags());
    }

    /**
     * Returns whether the page could take a URL for one that this class created. The page's parser
     * sees the whole text and skips spaces and control characters before and inside the scheme. The
     * scheme of a Uri object that another app built can be anything.
     */
    private static boolean isOurs(Uri address) {
        if (address == null) return false;
        String text = address.toString().replaceAll("[\\x00-\\x20]", "");
        return text.regionMatches(true, 0, SCHEME + ":", 0, SCHEME.length() + 1);
    }

    private static List<Uri> filesOf(Intent intent, String action) {
        List<Uri> files = new ArrayList<>();
        if (Intent.ACTION_SEND.equals(action)) {
            Parcelable file = intent.getParcelableExtra(Intent.EXTRA_STREAM);
            if (file instanceof Uri) files.add((Uri) file);
            return files;
        }
        ArrayList<Parcelable> given = intent.getParcelableArrayListExtra(Intent.EXTRA_STREAM);
        if (given == null) return files;
        for (Parcelable file : given) {
            if (file instanceof Uri && files.size() < MAX_FILES) files.add((Uri) file);
        }
        return files;
    }

    /** Returns whether another app may share this file: never a path, and never one of our own. */
    private static boolean isReadable(Uri file, String ownPackage) {
        String authority = file.getAuthority();
        if (!"content".equals(file.getScheme()) || authority == null) return false;
        // An authority may name a user of the device before the app: 10@com.example.files
        String owner = authority.substring(authority.lastIndexOf('@') + 1);
        return !owner.startsWith(ownPackage);
    }

    private static void add(Uri.Builder address, String name, CharSequence value) {
        if (value == null) return;
        String text = value.toString();
        if (text.isEmpty()) return;
        address.appendQueryParameter(name, text.length() > MAX_CHARACTERS ? text.substring(0, MAX_CHARACTERS) : text);
    }

    private static void addAll(Uri.Builder address, String name, String[] values) {
        if (values == null) return;
        for (String value : values) add(address, name, value);
    }
}
