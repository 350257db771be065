import UIKit
import Capacitor
import UserNotifications

/// Starts the app, excludes its files from backups, forwards notification events to Capacitor, and
/// removes notifications whose messages were read elsewhere.
@main
class AppDelegate: UIResponder, UIApplicationDelegate {

    var window: UIWindow?

    func application(_ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?) -> Bool {
        keepOutOfBackups()
        return true
    }

    /// Excludes mailbox data from backups in iCloud and on computers: the page's storage (cached
    /// mail, the search index), and files that other apps shared. Sets the attribute at each start,
    /// because a deleted folder loses it.
    private func keepOutOfBackups() {
        let files = FileManager.default
        let documents = files.urls(for: .documentDirectory, in: .userDomainMask)
        let library = files.urls(for: .libraryDirectory, in: .userDomainMask)
        for folder in documents + library.map({ $0.appendingPathComponent("WebKit", isDirectory: true) }) {
            var place = folder
            var mark = URLResourceValues()
            mark.isExcludedFromBackup = true
            try? files.createDirectory(at: place, withIntermediateDirectories: true)
            try? place.setResourceValues(mark)
        }
    }

    func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data) {
        NotificationCenter.default.post(name: .capacitorDidRegisterForRemoteNotifications, object: deviceToken)
    }

    func application(_ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: Error) {
        NotificationCenter.default.post(name: .capacitorDidFailToRegisterForRemoteNotifications, object: error)
    }

    /// The id of a notification is that of its message. Calls the completion handler only after the
    /// removal; otherwise the system would suspend the app first.
    func application(_ application: UIApplication,
                     didReceiveRemoteNotification userInfo: [AnyHashable: Any],
                     fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void) {
        guard userInfo["type"] as? String == "read", let id = userInfo["id"] as? String else {
            completionHandler(.noData)
            return
        }
        if let unread = userInfo["badge"] as? Int {
            application.applicationIconBadgeNumber = max(0, unread)
        }
        let center = UNUserNotificationCenter.current()
        center.removeDeliveredNotifications(withIdentifiers: [id])
        center.getDeliveredNotifications { _ in
            DispatchQueue.main.async { completionHandler(.newData) }
        }
    }

    func application(_ application: UIApplication,
                     configurationForConnecting connectingSceneSession: UISceneSession,
                     options: UIScene.ConnectionOptions) -> UISceneConfiguration {
        let config = UISceneConfiguration(name: "Default Configuration",
                                          sessionRole: connectingSceneSession.role)
        config.delegateClass = SceneDelegate.self
        return config
    }
}
